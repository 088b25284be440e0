/* Adjoints by hand of the ADBench objectives in kernels.py, as those of adjoints.c. */
#include <math.h>
#include <stdlib.h>

/* camera: rotation (3), centre (3), focal length, principal point (2), distortion (2) */
void bundle(const double *cameras, const double *points, const double *weights,
            const double *features, const long *observed, long n, long m, long count,
            double *cameras_bar, double *points_bar, double *weights_bar)
{
    for (long k = 0; k < 11 * n; k++)
        cameras_bar[k] = 0.0;
    for (long k = 0; k < 3 * m; k++)
        points_bar[k] = 0.0;
    for (long p = 0; p < count; p++) {
        const double *cam = cameras + 11 * observed[2 * p], *at = points + 3 * observed[2 * p + 1];
        double *cam_bar = cameras_bar + 11 * observed[2 * p];
        double *at_bar = points_bar + 3 * observed[2 * p + 1];
        double x = at[0] - cam[3], y = at[1] - cam[4], z = at[2] - cam[5];
        double angle = sqrt(cam[0] * cam[0] + cam[1] * cam[1] + cam[2] * cam[2]);
        double ax = cam[0] / angle, ay = cam[1] / angle, az = cam[2] / angle;
        double c = cos(angle), s = sin(angle), dot = ax * x + ay * y + az * z;
        double along = dot * (1.0 - c);
        double cx = ay * z - az * y, cy = az * x - ax * z, cz = ax * y - ay * x;
        double w = z * c + cz * s + az * along;
        double u = (x * c + cx * s + ax * along) / w, v = (y * c + cy * s + ay * along) / w;
        double square = u * u + v * v;
        double distortion = 1.0 + cam[9] * square + cam[10] * square * square;
        double eu = cam[6] * distortion * u + cam[7] - features[2 * p];
        double ev = cam[6] * distortion * v + cam[8] - features[2 * p + 1];
        double du = weights[p] * eu, dv = weights[p] * ev;

        weights_bar[p] = du * eu + dv * ev;
        double pu = weights[p] * du, pv = weights[p] * dv, both = u * pu + v * pv;
        cam_bar[6] += distortion * both;
        cam_bar[7] += pu;
        cam_bar[8] += pv;
        double distortion_bar = cam[6] * both;
        cam_bar[9] += distortion_bar * square;
        cam_bar[10] += distortion_bar * square * square;
        double square_bar = 2.0 * distortion_bar * (cam[9] + 2.0 * cam[10] * square);
        double u_bar = (cam[6] * distortion * pu + u * square_bar) / w;
        double v_bar = (cam[6] * distortion * pv + v * square_bar) / w;
        double w_bar = -(u_bar * u + v_bar * v);
        double along_bar = ax * u_bar + ay * v_bar + az * w_bar, dot_bar = (1.0 - c) * along_bar;
        double x_bar = c * u_bar + s * (az * v_bar - ay * w_bar) + ax * dot_bar;
        double y_bar = c * v_bar + s * (ax * w_bar - az * u_bar) + ay * dot_bar;
        double z_bar = c * w_bar + s * (ay * u_bar - ax * v_bar) + az * dot_bar;
        double ax_bar = along * u_bar + s * (y * w_bar - z * v_bar) + x * dot_bar;
        double ay_bar = along * v_bar + s * (z * u_bar - x * w_bar) + y * dot_bar;
        double az_bar = along * w_bar + s * (x * v_bar - y * u_bar) + z * dot_bar;
        double c_bar = x * u_bar + y * v_bar + z * w_bar - dot * along_bar;
        double s_bar = cx * u_bar + cy * v_bar + cz * w_bar;
        double angle_bar = c * s_bar - s * c_bar - (ax * ax_bar + ay * ay_bar + az * az_bar) / angle;
        cam_bar[0] += ax_bar / angle + ax * angle_bar;
        cam_bar[1] += ay_bar / angle + ay * angle_bar;
        cam_bar[2] += az_bar / angle + az * angle_bar;
        cam_bar[3] -= x_bar;
        cam_bar[4] -= y_bar;
        cam_bar[5] -= z_bar;
        at_bar[0] += x_bar;
        at_bar[1] += y_bar;
        at_bar[2] += z_bar;
    }
}

static double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/* On the tape, for each cell: input, hidden state, cell, three gates, change, tanh of the cell. */
void memory_cells(const double *main, const double *extra, const double *state, const double *text,
                  long layers, long width, long count, double *main_bar, double *extra_bar)
{
    long steps = count - 1, four = 4 * width;
    double *tape = malloc(steps * layers * width * 8 * sizeof(double));
    double *last = malloc(steps * width * sizeof(double));
    double *norms = malloc(steps * sizeof(double));
    double *now = malloc(2 * layers * width * sizeof(double));
    double *now_bar = calloc(2 * layers * width, sizeof(double));
    double *x = malloc(width * sizeof(double));
    for (long k = 0; k < 2 * layers * width; k++)
        now[k] = state[k];
    for (long k = 0; k < 2 * layers * four; k++)
        main_bar[k] = 0.0;
    for (long k = 0; k < 3 * width; k++)
        extra_bar[k] = 0.0;
    for (long t = 0; t < steps; t++) {
        for (long h = 0; h < width; h++)
            x[h] = text[t * width + h] * extra[h];
        for (long k = 0; k < layers; k++) {
            const double *a = main + 2 * k * four, *b = a + four;
            double *hidden = now + 2 * k * width, *cells = hidden + width;
            for (long h = 0; h < width; h++) {
                double *r = tape + ((t * layers + k) * width + h) * 8;
                r[0] = x[h], r[1] = hidden[h], r[2] = cells[h];
                r[3] = sigmoid(x[h] * a[h] + b[h]);
                r[4] = sigmoid(hidden[h] * a[width + h] + b[width + h]);
                r[5] = sigmoid(x[h] * a[2 * width + h] + b[2 * width + h]);
                r[6] = tanh(hidden[h] * a[3 * width + h] + b[3 * width + h]);
                cells[h] = cells[h] * r[3] + r[4] * r[6];
                r[7] = tanh(cells[h]);
                x[h] = hidden[h] = r[5] * r[7];
            }
        }
        norms[t] = 2.0;
        for (long h = 0; h < width; h++) {
            last[t * width + h] = x[h];
            norms[t] += exp(x[h] * extra[width + h] + extra[2 * width + h]);
        }
    }
    double scale = 1.0 / (steps * width);
    for (long t = steps - 1; t >= 0; t--) {
        const double *next = text + (t + 1) * width;
        double bits = 0.0;
        for (long h = 0; h < width; h++)
            bits += next[h];
        for (long h = 0; h < width; h++) {
            double y = last[t * width + h];
            double e = exp(y * extra[width + h] + extra[2 * width + h]);
            double g = scale * (bits * e / norms[t] - next[h]);
            extra_bar[width + h] += g * y;
            extra_bar[2 * width + h] += g;
            x[h] = g * extra[width + h];
        }
        for (long k = layers - 1; k >= 0; k--) {
            const double *a = main + 2 * k * four;
            double *a_bar = main_bar + 2 * k * four, *b_bar = a_bar + four;
            double *hidden_bar = now_bar + 2 * k * width, *cells_bar = hidden_bar + width;
            for (long h = 0; h < width; h++) {
                const double *r = tape + ((t * layers + k) * width + h) * 8;
                double g = x[h] + hidden_bar[h];
                double cell_bar = cells_bar[h] + g * r[5] * (1.0 - r[7] * r[7]);
                double forget = cell_bar * r[2] * r[3] * (1.0 - r[3]);
                double taken = cell_bar * r[6] * r[4] * (1.0 - r[4]);
                double shown = g * r[7] * r[5] * (1.0 - r[5]);
                double change = cell_bar * r[4] * (1.0 - r[6] * r[6]);
                cells_bar[h] = cell_bar * r[3];
                a_bar[h] += forget * r[0], b_bar[h] += forget;
                a_bar[width + h] += taken * r[1], b_bar[width + h] += taken;
                a_bar[2 * width + h] += shown * r[0], b_bar[2 * width + h] += shown;
                a_bar[3 * width + h] += change * r[1], b_bar[3 * width + h] += change;
                hidden_bar[h] = taken * a[width + h] + change * a[3 * width + h];
                x[h] = forget * a[h] + shown * a[2 * width + h];
            }
        }
        for (long h = 0; h < width; h++)
            extra_bar[h] += x[h] * text[t * width + h];
    }
    free(tape), free(last), free(norms), free(now), free(now_bar), free(x);
}

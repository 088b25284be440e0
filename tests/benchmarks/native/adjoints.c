/* Adjoints by hand, as a careful person writes them: the limit for the generated ones. */
#include <math.h>
#include <stdlib.h>

void rosenbrock(const double *x, long n, double *x_bar)
{
    for (long i = 0; i < n; i++)
        x_bar[i] = 0.0;
    for (long i = 0; i < n - 1; i++) {
        double d = x[i + 1] - x[i] * x[i];
        x_bar[i] += -400.0 * d * x[i] - 2.0 * (1.0 - x[i]);
        x_bar[i + 1] += 200.0 * d;
    }
}

void logistic(double x, double r, long n, double *out)
{
    double *tape = malloc(n * sizeof(double));
    for (long k = 0; k < n; k++) {
        tape[k] = x;
        if (x > 0.5)
            x = r * x * (1.0 - x);
        else
            x = r * x * (1.0 - x) + 0.01 * sin(x);
    }
    double x_bar = 1.0, r_bar = 0.0;
    for (long k = n - 1; k >= 0; k--) {
        x = tape[k];
        r_bar += x_bar * x * (1.0 - x);
        if (x > 0.5)
            x_bar = x_bar * r * (1.0 - 2.0 * x);
        else
            x_bar = x_bar * (r * (1.0 - 2.0 * x) + 0.01 * cos(x));
    }
    out[0] = x_bar;
    out[1] = r_bar;
    free(tape);
}

void newton(const double *a, long n, double *a_bar)
{
    double tape[200];
    for (long k = 0; k < n; k++) {
        double x = a[k];
        int m = 0;
        while (fabs(x * x - a[k]) > 1e-12 * a[k]) {
            tape[m++] = x;
            x = 0.5 * (x + a[k] / x);
        }
        double x_bar = 1.0, bar = 0.0;
        while (m > 0) {
            x = tape[--m];
            double half = 0.5 * x_bar;
            bar += half / x;
            x_bar = half - half * a[k] / (x * x);
        }
        a_bar[k] = bar + x_bar;
    }
}

void lorenz(double s, double rho, double b, long n, double h, double *out)
{
    double *tape = malloc(12 * n * sizeof(double)), *t = tape;
    double x = 1.0, y = 1.0, z = 1.0, half = 0.5 * h, sixth = h / 6.0;
    for (long k = 0; k < n; k++, t += 12) {
        double a1 = s * (y - x), b1 = x * (rho - z) - y, c1 = x * y - b * z;
        double x2 = x + half * a1, y2 = y + half * b1, z2 = z + half * c1;
        double a2 = s * (y2 - x2), b2 = x2 * (rho - z2) - y2, c2 = x2 * y2 - b * z2;
        double x3 = x + half * a2, y3 = y + half * b2, z3 = z + half * c2;
        double a3 = s * (y3 - x3), b3 = x3 * (rho - z3) - y3, c3 = x3 * y3 - b * z3;
        double x4 = x + h * a3, y4 = y + h * b3, z4 = z + h * c3;
        double a4 = s * (y4 - x4), b4 = x4 * (rho - z4) - y4, c4 = x4 * y4 - b * z4;
        t[0] = x, t[1] = y, t[2] = z, t[3] = x2, t[4] = y2, t[5] = z2;
        t[6] = x3, t[7] = y3, t[8] = z3, t[9] = x4, t[10] = y4, t[11] = z4;
        x += sixth * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        y += sixth * (b1 + 2.0 * b2 + 2.0 * b3 + b4);
        z += sixth * (c1 + 2.0 * c2 + 2.0 * c3 + c4);
    }
    double xb = 1.0, yb = 1.0, zb = 1.0, sb = 0.0, rb = 0.0, bb = 0.0;
    for (long k = n - 1; k >= 0; k--) {
        t -= 12;
        const double weight[4] = {sixth, 2.0 * sixth, 2.0 * sixth, sixth};
        const double after[4] = {half, half, h, 0.0};
        double u = 0.0, v = 0.0, w = 0.0, xn = xb, yn = yb, zn = zb;
        for (int m = 3; m >= 0; m--) {
            double px = t[3 * m], py = t[3 * m + 1], pz = t[3 * m + 2];
            double a = weight[m] * xb + after[m] * u;
            double c = weight[m] * yb + after[m] * v;
            double d = weight[m] * zb + after[m] * w;
            sb += (py - px) * a, rb += px * c, bb -= pz * d;
            u = (rho - pz) * c + py * d - s * a;
            v = s * a - c + px * d;
            w = -px * c - b * d;
            xn += u, yn += v, zn += w;
        }
        xb = xn, yb = yn, zb = zn;
    }
    out[0] = sb, out[1] = rb, out[2] = bb;
    free(tape);
}

void nbody(const double *pos, const double *vel, const double *mass, long m, long n, double dt,
           double *p_bar, double *v_bar, double *mass_bar)
{
    double *tape = malloc((n + 1) * 3 * m * sizeof(double));
    double *v = malloc(3 * m * sizeof(double));
    for (long k = 0; k < 3 * m; k++)
        tape[k] = pos[k], v[k] = vel[k];
    for (long t = 0; t < n; t++) {
        const double *p = tape + t * 3 * m;
        double *next = tape + (t + 1) * 3 * m;
        for (long i = 0; i < m; i++)
            for (long j = 0; j < m; j++)
                if (i != j) {
                    double dx = p[3 * j] - p[3 * i], dy = p[3 * j + 1] - p[3 * i + 1];
                    double dz = p[3 * j + 2] - p[3 * i + 2];
                    double d2 = dx * dx + dy * dy + dz * dz + 0.01;
                    double f = dt * mass[j] / (d2 * sqrt(d2));
                    v[3 * i] += f * dx, v[3 * i + 1] += f * dy, v[3 * i + 2] += f * dz;
                }
        for (long k = 0; k < 3 * m; k++)
            next[k] = p[k] + dt * v[k];
    }
    const double *end = tape + n * 3 * m;
    for (long k = 0; k < 3 * m; k++)
        p_bar[k] = v[k], v_bar[k] = end[k];
    for (long i = 0; i < m; i++)
        mass_bar[i] = 0.0;
    for (long t = n - 1; t >= 0; t--) {
        const double *p = tape + t * 3 * m;
        for (long k = 0; k < 3 * m; k++)
            v_bar[k] += dt * p_bar[k];
        for (long i = 0; i < m; i++)
            for (long j = 0; j < m; j++)
                if (i != j) {
                    double dx = p[3 * j] - p[3 * i], dy = p[3 * j + 1] - p[3 * i + 1];
                    double dz = p[3 * j + 2] - p[3 * i + 2];
                    double d2 = dx * dx + dy * dy + dz * dz + 0.01;
                    double cube = 1.0 / (d2 * sqrt(d2)), f = dt * mass[j] * cube;
                    double a = v_bar[3 * i], b = v_bar[3 * i + 1], c = v_bar[3 * i + 2];
                    double along = a * dx + b * dy + c * dz;
                    mass_bar[j] += dt * cube * along;
                    double d2_bar = -3.0 * f * along / d2;
                    double x = f * a + d2_bar * dx, y = f * b + d2_bar * dy;
                    double z = f * c + d2_bar * dz;
                    p_bar[3 * i] -= x, p_bar[3 * i + 1] -= y, p_bar[3 * i + 2] -= z;
                    p_bar[3 * j] += x, p_bar[3 * j + 1] += y, p_bar[3 * j + 2] += z;
                }
    }
    free(tape);
    free(v);
}

void burgers(const double *u0, double nu, double dt, double dx, long m, long n, double *u_bar,
             double *nu_bar)
{
    double *tape = malloc((n + 1) * m * sizeof(double)), *next = malloc(m * sizeof(double));
    double c = dt / dx, q = nu * dt / (dx * dx), q_bar = 0.0;
    for (long i = 0; i < m; i++)
        tape[i] = u0[i];
    for (long t = 0; t < n; t++) {
        const double *u = tape + t * m;
        double *w = tape + (t + 1) * m;
        w[0] = u[0], w[m - 1] = u[m - 1];
        for (long i = 1; i < m - 1; i++)
            w[i] = u[i] - c * u[i] * (u[i] - u[i - 1]) + q * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
    }
    for (long i = 0; i < m; i++)
        u_bar[i] = 2.0 * tape[n * m + i];
    for (long t = n - 1; t >= 0; t--) {
        const double *u = tape + t * m;
        for (long i = 0; i < m; i++)
            next[i] = 0.0;
        next[0] = u_bar[0], next[m - 1] = u_bar[m - 1];
        for (long i = 1; i < m - 1; i++) {
            double g = u_bar[i];
            q_bar += g * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
            next[i] += g * (1.0 - c * (2.0 * u[i] - u[i - 1]) - 2.0 * q);
            next[i - 1] += g * (c * u[i] + q);
            next[i + 1] += g * q;
        }
        for (long i = 0; i < m; i++)
            u_bar[i] = next[i];
    }
    *nu_bar = q_bar * dt / (dx * dx);
    free(tape);
    free(next);
}

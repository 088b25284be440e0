"""One module for each public package: functions of one number or array, marked with `call`."""

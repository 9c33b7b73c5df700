// The identity on complex numbers.

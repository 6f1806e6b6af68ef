export const first = 1;

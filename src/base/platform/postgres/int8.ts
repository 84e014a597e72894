/** The type id of int8. Counts and cents are far below 2^53, so they are read as numbers. */
export const INT8 = 20;

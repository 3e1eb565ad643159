export const word = "first";

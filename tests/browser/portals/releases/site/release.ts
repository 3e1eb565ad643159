// Every page imports this, so another value changes the names of all their scripts.
export const release = "1";

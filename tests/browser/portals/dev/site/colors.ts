export const colors = { main: "colour 0" };

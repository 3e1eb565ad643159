// What is made of figures that were measured.

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Cells as the lines of a table, each column as wide as its widest cell. */
export function aligned(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => String(line[column]).length)));
  const cell = (text, column) => {
    const fill = /^-+:?$/.test(text) ? "-" : " ";
    if (column === 0) return String(text).padEnd(widths[column], fill);
    return fill === "-" ? ":".padStart(widths[column], fill) : String(text).padStart(widths[column]);
  };
  return lines.map((line) => `| ${line.map(cell).join(" | ")} |`).join("\n");
}

// Sections of documents that a program writes between comments which name it.

const end = "<!-- End of what it writes. -->\n";

/** A document with another text in the section of `command`. */
export function withSection(document, command, text) {
  const start = `<!-- Written by \`${command}\`. -->\n`;
  const [before, rest] = document.split(start);
  const after = rest?.slice(rest.indexOf(end));
  if (!after?.startsWith(end)) throw new Error(`there is no section between ${start}and ${end}`);
  return `${before}${start}\n${text}\n\n${after}`;
}

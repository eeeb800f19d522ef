/** A cell as RFC 4180 has it. What a spreadsheet would take for a formula gets an apostrophe in front. */
export function csvCell(text: string) {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export function csvLine(cells: readonly string[]) {
  return `${cells.map(csvCell).join(',')}\r\n`
}

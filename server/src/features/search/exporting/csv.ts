/**
 * A cell as RFC 4180 has it. What a spreadsheet would take for a formula gets an apostrophe in front; East Asian ones take the wide signs as well.
 * Semicolons and tabs are quoted because many spreadsheets end a cell there too, and what follows would be a cell of its own.
 */
export function csvCell(text: string) {
  const harmless = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export function csvLine(cells: readonly string[]) {
  return `${cells.map(csvCell).join(',')}\r\n`
}

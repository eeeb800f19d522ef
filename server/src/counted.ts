/** `1 ticket`, `2 tickets`. */
export function counted(count: number, noun: string, nouns = `${noun}s`) {
  return `${count} ${count === 1 ? noun : nouns}`
}

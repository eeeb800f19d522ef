import type { GoldenQuery } from './genuine-queries.ts'

/** The share of the wanted tickets that are among the first ten results, and the queries that miss any. */
export async function recallAt10(queries: readonly GoldenQuery[], search: (query: string) => Promise<readonly string[]>) {
  let [wanted, found] = [0, 0]
  const missed: string[] = []
  for (const { query, finds } of queries) {
    const first = (await search(query)).slice(0, 10)
    const hits = finds.filter(key => first.includes(key)).length
    wanted += finds.length
    found += hits
    if (hits < finds.length) missed.push(`${query} => ${finds.join(', ')}, not ${first.slice(0, 3).join(', ') || 'nothing'}`)
  }
  return { recall: found / wanted, missed }
}

/**
 * The query with one typing error in each word of four letters or more: two letters swapped, one left out, one twice, or another one; what is
 * left has four letters, as shorter words are looked for as they are. The first letter stays: it is the one that people get right. Names of the
 * language, phrases, which are meant literally, and numbers stay too.
 */
export function withTypos(query: string, seed: number): string {
  let state = seed
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % below
  }
  return query.replace(/\w+:"[^"]*"|"[^"]*"|\w+:\S+|\p{L}+/gu, word => {
    if (/[":]/.test(word) || word.length < 4) return word
    const at = 1 + random(word.length - 2)
    const [before, letter = '', next = '', after] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)]
    switch (random(word.length === 4 ? 3 : 4)) {
      case 0:
        return letter === next ? `${before}${next}${after}` : `${before}${next}${letter}${after}`
      case 1:
        return `${before}${letter}${letter}${next}${after}`
      case 2:
        return `${before}${letter === 'x' ? 'k' : 'x'}${next}${after}`
      default:
        return `${before}${next}${after}`
    }
  })
}

// The messages about changes between processes (live.ts).

/** Organization, project or `people`, ticket or 0, kind, and the person if nobody else may learn of it. */
export type Message = [number, number, number, string, number?]

/** Instead of a project: the people and projects of the organization changed. */
export const people = 0

/** PostgreSQL's limit is 8000 bytes. */
const payloadBytes = 7500
/** How long a process keeps recent events, in milliseconds. */
const memoryMilliseconds = 30_000
const memoryPayloads = 2000
/** More events than this within one batch are folded to one per project, and per person among those for one person. */
const foldAbove = 500

/** Recent events, for pages that connect after they have read their data. */
export function shortMemory() {
  let kept: { at: number; messages: Message[] }[] = []
  /** The time from which on the events are complete. */
  let whole = Number.POSITIVE_INFINITY
  return {
    /** From the first call on, the events are complete. */
    begin() {
      if (whole === Number.POSITIVE_INFINITY) whole = performance.now()
    },
    add(messages: Message[]) {
      const now = performance.now()
      kept.push({ at: now, messages })
      const oldest = kept.length > memoryPayloads ? now : now - memoryMilliseconds
      if ((kept[0]?.at ?? now) > oldest) return
      kept = kept.filter(({ at }) => at > oldest)
      whole = Math.max(whole, oldest)
    },
    /** Undefined when events of that time may be missing. */
    since(time: number) {
      return time < whole ? undefined : kept.filter(({ at }) => at >= time).flatMap(({ messages }) => messages)
    },
    clear() {
      kept = []
      whole = performance.now()
    },
  }
}

export function fold(messages: Message[]) {
  if (messages.length <= foldAbove) return messages
  const folded = messages.map(([organizationId, projectId, , , ...only]): Message => [organizationId, projectId, 0, 'many', ...only])
  return [...new Map(folded.map(message => [message.join(), message])).values()]
}

export function payloadsOf(messages: Message[]) {
  const payloads: string[] = []
  let part: string[] = []
  let length = 2
  for (const message of messages) {
    const text = JSON.stringify(message)
    if (length + text.length + 1 > payloadBytes) {
      payloads.push(`[${part.join()}]`)
      part = []
      length = 2
    }
    part.push(text)
    length += text.length + 1
  }
  return [...payloads, `[${part.join()}]`]
}

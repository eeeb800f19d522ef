import type { Db } from '../db/db.ts'
import { type SessionLimits, visibleProjects } from '../lib/authorize.ts'
import { type Message, people } from './live-messages.ts'
import { type Reader, writeChanges, writeEnd, writeResync } from './reader.ts'

/** Passes messages on to the readers that may see them. A reader whose session is over is ended and removed. */
export function openDeliveries(
  db: Db,
  limits: SessionLimits,
  readers: Set<Reader>,
  { worked, failed }: { worked: () => void; failed: (error: unknown) => void },
) {
  /** One delivery at a time per organization, so that events keep their order. */
  const running = new Map<number, Promise<void>>()

  /**
   * Proves each reader's session again, and which of the messages' projects they may see, in one statement for all of them. Without messages, and
   * when people changed, it checks all their projects: removing somebody from a project may have sent no message. Whoever manages the
   * organization also reads its people and projects again.
   */
  async function send(organizationId: number, audience: readonly Reader[], messages: readonly Message[]) {
    const changed = new Set(messages.map(([, projectId]) => projectId))
    const arePeople = changed.delete(people)
    const known = messages.length === 0 || arePeople ? audience.flatMap(reader => [...reader.projects]) : []
    const projects = [...new Set([...changed, ...known])]
    const tokens = [...new Map(audience.map(({ token, tokenHash }) => [token, tokenHash])).values()]
    const visible = await visibleProjects(db, organizationId, tokens, limits, projects)
    for (const reader of audience) {
      const seen = visible.get(reader.token)
      if (!seen) {
        readers.delete(reader)
        writeEnd(reader)
        continue
      }
      const lost = projects.filter(id => reader.projects.has(id) && !seen.projects.has(id))
      for (const id of lost) reader.projects.delete(id)
      for (const id of seen.projects) reader.projects.add(id)
      if (lost.length > 0 || (arePeople && seen.manages)) writeResync(reader)
      writeChanges(reader, messages, seen.projects)
    }
  }

  return {
    /** Never throws. Without messages it only proves the readers' sessions and projects. */
    deliver(
      organizationId: number,
      messages: readonly Message[],
      audience = [...readers].filter(reader => reader.organizationId === organizationId),
    ) {
      if (audience.length === 0) return
      const before = running.get(organizationId) ?? Promise.resolve()
      const delivery = before
        .then(() => send(organizationId, audience, messages))
        .then(worked, error => {
          failed(error)
          if (messages.length > 0) for (const reader of audience) writeResync(reader)
        })
        .finally(() => {
          if (running.get(organizationId) === delivery) running.delete(organizationId)
        })
      running.set(organizationId, delivery)
    },
    /** Resolves when all deliveries have ended. */
    async close() {
      await Promise.all(running.values())
    },
  }
}

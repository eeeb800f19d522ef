import { type ReactNode, useRef, useState } from 'react'
import type { Ticket } from '../../ticket.ts'

/**
 * Asks before a text is sent that mentions people who may not view the ticket. `checked` sends at once when nobody new is mentioned; `question` must
 * be rendered. If the check fails, the text is sent anyway: such people are never notified.
 */
export function useMentionCheck(ticket: Ticket) {
  const [question, ask] = useState<ReactNode>()
  const isChecking = useRef(false)
  const checked = async (texts: readonly { before: string; after: string }[], send: () => void) => {
    if (isChecking.current) return
    if (!texts.some(({ after }) => after.includes('@'))) return send()
    isChecking.current = true
    try {
      const { outsidersOf, OutsidersDialog } = await import('./outsiders-dialog.tsx')
      const people = await outsidersOf(ticket.idTicket, texts)
      if (people.length === 0) return send()
      const close = () => ask(undefined)
      const onSend = () => {
        close()
        send()
      }
      ask(<OutsidersDialog ticket={ticket} people={people} onSend={onSend} onCancel={close} />)
    } catch {
      send()
    } finally {
      isChecking.current = false
    }
  }
  return { checked, question }
}

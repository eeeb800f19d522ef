import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'

interface CarryWordsProps {
  /** The id by which tickets are described by their keys. */
  keysId: string
  /** Nothing is carried there. */
  isPhone?: boolean
  /** Each ticket has a button with a menu of its moves. */
  hasMenu?: boolean
  /** Why no ticket can be moved. */
  refused: string | undefined
  announcement: string
}

/** What a screen reader says of the keys that carry a ticket, and of the ticket that is carried. */
export function CarryWords({ keysId, isPhone = false, hasMenu = false, refused, announcement }: CarryWordsProps) {
  const carry = `Press space to lift, the arrow keys to carry, space again to drop, escape to put back${hasMenu ? ', or open the menu of the Move button' : ''}.`
  return (
    <>
      <span id={keysId} hidden>
        {isPhone ? 'Press enter to open.' : (refused ?? carry)}
      </span>
      <VisuallyHidden aria-live="assertive" aria-atomic>
        {announcement}
      </VisuallyHidden>
    </>
  )
}

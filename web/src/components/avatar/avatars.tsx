import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import { Avatar } from './avatar.tsx'

/** The avatars of the first people and how many more there are; screen readers get all names. */
export function Avatars({ names, most }: { names: readonly string[]; most: number }) {
  return (
    <>
      {/* Keys are places, because two people may have the same name. */}
      {[...names.slice(0, most).entries()].map(([place, name]) => (
        <Avatar key={place} name={name} />
      ))}
      {names.length > most && <span aria-hidden>+{names.length - most}</span>}
      <VisuallyHidden>{names.join(', ')}</VisuallyHidden>
    </>
  )
}

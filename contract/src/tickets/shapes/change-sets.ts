import * as Type from 'typebox'
import { EpochSeconds, Flag } from '../../scalars.ts'

/** What is known of a change set that the project lists: a bulk change, an import, a restored deletion or a revert. */
export const ListedChangeSet = Type.Object({
  What: Type.Union([Type.Literal('bulk'), Type.Literal('import'), Type.Literal('restore'), Type.Literal('revert')]),
  At: EpochSeconds,
  Tickets: Type.Integer({ minimum: 0 }),
  Reverted: Flag,
  /** 0: not about tickets: a state, label, role or the like was restored. It is deleted again in its own card. */
  OfTickets: Flag,
  /** Why the caller may not revert it: the missing permission, or that the project is archived. */
  Refused: Type.Optional(Type.String()),
})

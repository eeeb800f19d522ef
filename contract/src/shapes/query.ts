import { limits } from '../limits.ts'
import { Text } from '../scalars.ts'

/** A query; one that is too long is refused with its place, as any other that cannot be read. */
export const QueryText = Text(4 * limits.queryLength)
/** A time zone's name, such as Europe/Berlin; decides which day a moment belongs to. UTC unless given. */
export const Zone = Text(64, 1)

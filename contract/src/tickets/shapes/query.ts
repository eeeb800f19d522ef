import { limits } from '../../limits.ts'
import { Text } from '../../scalars.ts'

/** A query. The schema allows far more than the limit, so that one that is too long gets the same error, with a position, as any other invalid query. */
export const QueryText = Text(20 * limits.queryLength)
/** A time zone's name, such as Europe/Berlin; decides which day a moment belongs to. UTC unless given. */
export const Zone = Text(64, 1)

import * as Type from 'typebox'
import { Text } from '../scalars.ts'

/** A query. The schema takes any text, so that one that is too long or cannot be stored gets an error with a position, as any other invalid query. */
export const QueryText = Type.String()
/** A time zone's name, such as Europe/Berlin; decides which day a moment belongs to. UTC unless given. */
export const Zone = Text(64, 1)

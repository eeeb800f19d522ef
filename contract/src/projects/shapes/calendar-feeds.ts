import * as Type from 'typebox'
import { limits } from '../../limits.ts'
import { Closed, DatabaseKey, Done, EpochSeconds, Id, Name, SomeIds } from '../../scalars.ts'
import { QueryText, Zone } from '../../tickets/shapes/query.ts'

/** The feed's secret address. It is answered once; the server keeps only a digest of it. */
const Address = Type.String()
const WithAddress = Type.Object({ Success: Type.Literal(1), idFeed: Id, Address })

export const getCalendarFeedList = {
  summary: "The caller's calendar feeds of the project, the newest first, without their addresses.",
  request: Closed({ idProject: Id }),
  response: Type.Array(
    Type.Object({
      idFeed: Id,
      Name: Type.String(),
      Query: Type.String(),
      /** The database key of the DATE field whose days the tickets are on. */
      Field: Type.String(),
      DateCreated: EpochSeconds,
      /** To the minute. Absent until a program has read the feed. */
      LastFetched: Type.Optional(EpochSeconds),
    }),
  ),
}
export const createCalendarFeed = {
  summary: `Makes a secret address at which calendar programs read the project's tickets that the query finds, on the days of a DATE field. The feed reads with its owner's rights at that time. At most ${limits.calendarFeeds} per person and project (422 \`rule\`).`,
  request: Closed({
    idProject: Id,
    Name: Name(),
    /** Every ticket with a date when left out. */
    Query: Type.Optional(QueryText),
    /** The database key of a DATE field. */
    Field: DatabaseKey,
    Zone: Type.Optional(Zone),
  }),
  response: WithAddress,
}
export const renewCalendarFeed = {
  summary: "Gives one of the caller's feeds a new address; the old one stops working at once.",
  request: Closed({ idProject: Id, idFeed: Id }),
  response: WithAddress,
}
export const deleteCalendarFeeds = {
  summary: "Deletes some of the caller's feeds, for good: their addresses stop working at once.",
  request: Closed({ idProject: Id, ids: SomeIds }),
  response: Done,
}

import * as Type from 'typebox'
import { Closed, Id, Phase } from '../../scalars.ts'
import { QueryText, Zone } from '../../tickets/shapes/query.ts'

const Day = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', maxLength: 10 })
const Count = Type.Integer({ minimum: 0 })
/** In days, with fractions; null when there is nothing to measure. */
const Days = Type.Union([Type.Number({ minimum: 0 }), Type.Null()])
const Spread = Type.Object({ Median: Days, P85: Days })

export const getProjectStatistics = {
  summary:
    "What happened day by day to the project's tickets, or to those that a query finds now, from their history, without the trash. The days are those of the time zone, from `From` to `To` or today, at most 1100.",
  request: Closed({ idProject: Id, Query: Type.Optional(QueryText), From: Day, To: Day, Zone }),
  response: Type.Object({
    Days: Type.Array(
      Type.Object({
        Day,
        Created: Count,
        /** Tickets that entered phase Inactive, those that began in it included. */
        Closed: Count,
        /** Tickets that left it. */
        Reopened: Count,
        /** In each phase at the end of the day. */
        Proposed: Count,
        Active: Count,
        Inactive: Count,
      }),
    ),
    /** What is not inactive now, by its age. */
    Open: Type.Object({
      Tickets: Count,
      Age: Spread,
      Ages: Type.Array(Type.Object({ UpToDays: Type.Union([Type.Integer(), Type.Null()]), Tickets: Count })),
    }),
    /** Tickets that became inactive within these days and still are: the times from creation to the first move into phase Active, and to the last move into Inactive. */
    Closed: Type.Object({ Tickets: Count, ToActive: Spread, ToInactive: Spread }),
    /** How long those tickets were in each state that is not inactive, all their times in it added up, in the order of the states. */
    States: Type.Array(
      Type.Object({
        State: Type.String(),
        Phase,
        /** How many of them were in it. */
        Tickets: Count,
        ...Spread.properties,
      }),
    ),
  }),
}

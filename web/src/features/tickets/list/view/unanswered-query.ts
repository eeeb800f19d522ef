/** Shown instead of the tickets; why, an error or the time it takes, is shown at the query's field. */
export const unansweredQuery = 'The query cannot be answered'

import { mutation, query } from '../call.ts'
import type * as shapes from './shapes/calendar-feeds.ts'

// None of them is idempotent: the answer with the address would be stored.
export const getCalendarFeedList = query<typeof shapes.getCalendarFeedList, 'project'>('get-calendar-feed-list', { access: 'project' })
export const createCalendarFeed = mutation<typeof shapes.createCalendarFeed, 'project'>('create-calendar-feed', {
  access: 'project',
  tells: 'caller',
})
export const renewCalendarFeed = mutation<typeof shapes.renewCalendarFeed, 'project'>('renew-calendar-feed', {
  access: 'project',
  tells: 'caller',
})
export const deleteCalendarFeeds = mutation<typeof shapes.deleteCalendarFeeds, 'project'>('delete-calendar-feeds', {
  access: 'project',
  tells: 'caller',
})

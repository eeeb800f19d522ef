import { query } from './call.ts'
import type * as shapes from './shapes/search.ts'

export const searchTickets = query<typeof shapes.searchTickets, 'session'>('search-tickets', { access: 'session' })
export const suggestSearch = query<typeof shapes.suggestSearch, 'session'>('suggest-search', { access: 'session' })

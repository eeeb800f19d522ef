import { query } from '../call.ts'
import type * as shapes from './shapes/search.ts'

export const searchTickets = query<typeof shapes.searchTickets, 'session'>('search-tickets', { access: 'session' })
export const exportTickets = query<typeof shapes.exportTickets, 'session'>('export-tickets.php', { access: 'session', method: 'GET' })
export const suggestSearch = query<typeof shapes.suggestSearch, 'session'>('suggest-search', { access: 'session' })

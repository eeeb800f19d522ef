import { mutation, query } from '../call.ts'
import type * as shapes from './shapes/saved-searches.ts'

export const getSearchList = query<typeof shapes.getSearchList, 'session'>('get-search-list', { access: 'session' })
export const setSearch = mutation<typeof shapes.setSearch, 'session'>('set-search', { access: 'session', idempotent: true })
export const deleteSearches = mutation<typeof shapes.deleteSearches, 'session'>('delete-searches', { access: 'session' })
export const restoreSearches = mutation<typeof shapes.restoreSearches, 'session'>('restore-searches', { access: 'session' })

import { query } from '../call.ts'
import type * as shapes from './shapes/statistics.ts'

export const getProjectStatistics = query<typeof shapes.getProjectStatistics, 'project'>('get-project-statistics', { access: 'project' })

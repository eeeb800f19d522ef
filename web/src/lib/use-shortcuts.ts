export { useActions as useShortcuts } from './actions.ts'

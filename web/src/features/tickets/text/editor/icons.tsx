import { stroke } from '../../../../components/icons/icons.tsx'

export const BoldIcon = stroke('M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z', 2.5)
export const ItalicIcon = stroke('M10 5h8M6 19h8M14 5l-4 14')
export const CodeIcon = stroke('M8 7l-5 5 5 5M16 7l5 5-5 5')
export const ItemsIcon = stroke('M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01')
export const TasksIcon = stroke('M3.5 6.5l1.5 1.5 3-3M3.5 16.5l1.5 1.5 3-3M12 7h8M12 17h8')
export const MentionIcon = stroke('M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M16 8v5a2.5 2.5 0 0 0 5 0v-1a9 9 0 1 0-4 7.5')

interface IconProps {
  fontSize?: 'small'
  /** A token such as `text-faint`; by default the color of the surrounding text. */
  color?: string | undefined
  /** Its accessible name, if no text beside it says the same. */
  titleAccess?: string
}

/** An icon of 24 × 24 with one stroke width; several paths are in one string. A plain element, because a page has dozens of them. */
export function stroke(path: string, strokeWidth = 1.75) {
  return function Icon({ fontSize, color, titleAccess }: IconProps) {
    return (
      // biome-ignore lint/a11y/noSvgWithoutTitle: most stand beside words or in a button with a name, and are hidden
      <svg
        className={fontSize ? `icon ${fontSize}` : 'icon'}
        viewBox="0 0 24 24"
        {...(titleAccess ? { role: 'img' } : { 'aria-hidden': true })}
        {...(color && { style: { color: `var(--${color})` } })}
      >
        <path d={path} fill="none" stroke="currentColor" strokeWidth={strokeWidth} strokeLinecap="round" strokeLinejoin="round" />
        {titleAccess && <title>{titleAccess}</title>}
      </svg>
    )
  }
}

export const MenuIcon = stroke('M4 7h16M4 12h16M4 17h16')
export const ListIcon = stroke('M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01')
export const TreeIcon = stroke('M4 5h7M10 12h10M10 19h10M6 5v14h1M6 12h1')
export const BoardIcon = stroke('M4 4.5h5v15H4zM15 4.5h5v9h-5zM9 4.5h6')
export const CalendarIcon = stroke('M4 6h16v14H4zM4 10.5h16M8.5 3.5V7M15.5 3.5V7')
export const TimelineIcon = stroke('M4 6h9M8 12h12M5 18h8')
export const FeedIcon = stroke('M5 19h.01M5 12a7 7 0 0 1 7 7M5 5a14 14 0 0 1 14 14')
export const SettingsIcon = stroke(
  'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M19 12a7 7 0 0 0-.1-1.2l2-1.6-2-3.4-2.4 1a7 7 0 0 0-2-1.2L14 3h-4l-.5 2.6a7 7 0 0 0-2 1.2l-2.4-1-2 3.4 2 1.6a7 7 0 0 0 0 2.4l-2 1.6 2 3.4 2.4-1a7 7 0 0 0 2 1.2L10 21h4l.5-2.6a7 7 0 0 0 2-1.2l2.4 1 2-3.4-2-1.6c.1-.4.1-.8.1-1.2z',
)
export const HomeIcon = stroke('M4 11l8-7 8 7v9h-5v-6H9v6H4z')
export const PersonIcon = stroke('M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 21c1-4 4-6 8-6s7 2 8 6')
export const PeopleIcon = stroke(
  'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M2.5 20c.8-3.6 3.2-5.2 6.5-5.2s5.7 1.6 6.5 5.2M16 5.4a3.5 3.5 0 0 1 0 6.3M18 15.2c1.8.7 3 2.3 3.5 4.8',
)
export const LogoutIcon = stroke('M14 4h5v16h-5M10 8l-4 4 4 4M6 12h10')
export const ReconnectIcon = stroke('M20 12a8 8 0 1 1-2.3-5.7M20 3v4.5h-4.5')
export const AddIcon = stroke('M12 5v14M5 12h14')
export const EditIcon = stroke('M4 20l4-1L19 8l-3-3L5 16z')
export const DeleteIcon = stroke('M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13M10 11v5M14 11v5')
export const CloseIcon = stroke('M6 6l12 12M18 6L6 18')
export const CheckIcon = stroke('M5 12.5l4.5 4.5L19 7.5')
export const CheckCircleIcon = stroke('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M8 12.2l2.8 2.8L16 9.5')
export const ErrorIcon = stroke('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7.5v5.5M12 16.5h.01')
export const InfoIcon = stroke('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 16.5V11M12 7.5h.01')
export const WarningIcon = stroke('M12 4L2.5 20h19zM12 10v4.5M12 17.3h.01')

export const HelpIcon = stroke('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.8h.01')
export const SearchIcon = stroke('M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M20 20l-4.3-4.3')
export const FilterIcon = stroke('M4 5h16l-6 7.5V19l-4-2v-4.5z')
export const ChevronRightIcon = stroke('M9 6l6 6-6 6')
export const ChevronDownIcon = stroke('M6 9l6 6 6-6')
export const ArrowUpIcon = stroke('M12 19V5M6 11l6-6 6 6')
export const ArrowDownIcon = stroke('M12 5v14M6 13l6 6 6-6')

export const SortIcon = stroke('M8 10l4-4 4 4M8 14l4 4 4-4')
export const BellIcon = stroke('M6 16V11a6 6 0 1 1 12 0v5l2 2H4zM10 21h4')
export const BellOffIcon = stroke('M6 16v-5a6 6 0 0 1 1-3.3M10 5.3A6 6 0 0 1 18 11v3.5M4 18h14M10 21h4M4 4l16 16')
export const AttachIcon = stroke('M20 11l-8 8a5 5 0 0 1-7-7l8-8a3.5 3.5 0 0 1 5 5l-8 8a2 2 0 0 1-3-3l7-7')
export const UploadIcon = stroke('M12 16V4M7 9l5-5 5 5M4 15v5h16v-5')
export const DownloadIcon = stroke('M12 4v12M7 11l5 5 5-5M4 15v5h16v-5')
export const HistoryIcon = stroke('M4 12a8 8 0 1 0 3-6M4 4v4h4M12 8v4l3 2')
export const DragIcon = stroke('M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01')
export const ChartIcon = stroke('M4 20h16M7 16v-5M12 16V6M17 16v-8')
export const FlowIcon = stroke('M4 4h6v5H4zM14 15h6v5h-6zM7 9v4.5a4 4 0 0 0 4 4h3')
export const FolderIcon = stroke('M3 6h6l2 2.5h10V19H3z')
export const OrganizationIcon = stroke('M5 21V4h9v17M14 9h5v12M3 21h18M8.5 8h2M8.5 12h2M8.5 16h2')
export const LinkIcon = stroke('M10 14a4 4 0 0 0 6 .5l3-3a4.2 4.2 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4.2 4.2 0 0 0 6 6l1-1')
export const SmileIcon = stroke('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M8.5 14.5a4.5 4.5 0 0 0 7 0M9 9.5h.01M15 9.5h.01')
export const ColumnsIcon = stroke('M4 5h16v14H4zM9.5 5v14M14.5 5v14')
export const LabelIcon = stroke('M4 4h8l8.5 8.5-8 8L4 12zM8 8h.01')
export const LockIcon = stroke('M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3')
export const KeyIcon = stroke('M8 12a4 4 0 1 0 0 8 4 4 0 0 0 0-8M11 13l8-8M16 8l3 3M13.5 10.5l2 2')
export const MoreIcon = stroke('M5 12h.01M12 12h.01M19 12h.01', 3)

export const LightIcon = stroke(
  'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2.5V4M12 20v1.5M2.5 12H4M20 12h1.5M5.3 5.3l1 1M17.7 17.7l1 1M18.7 5.3l-1 1M6.3 17.7l-1 1',
)
export const DarkIcon = stroke('M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z')
export const SystemIcon = stroke('M3 5h18v11H3zM9 20h6M12 16v4')
export const MoveIcon = stroke('M4 5v9a3 3 0 0 0 3 3h12M15 13l4 4-4 4')
export const RestoreIcon = stroke('M8 6L4 10l4 4M4 10h10a6 6 0 0 1 0 12h-2')

import { alpha, createTheme } from '@mui/material/styles'

interface PhaseColors {
  proposed: string
  active: string
  inactive: string
}
declare module '@mui/material/styles' {
  // Every theme has its colours as CSS variables.
  interface CssThemeVariables {
    enabled: true
  }
  interface Palette {
    phase: PhaseColors
    /** Hairlines inside a card; `divider` is the one around it. */
    hairline: string
    /** Around what takes text: told from its surroundings 3 to 1 (WCAG 1.4.11). */
    field: string
    /** Behind what is chosen or current: indigo at its palest. */
    soft: string
    /** A title bar or table head that content scrolls under. */
    raised: string
  }
  interface PaletteOptions {
    phase?: PhaseColors
    hairline?: string
    field?: string
    soft?: string
    raised?: string
  }
}

const indigo = '#4f46e5'
const lightSchemeColors = {
  primary: { main: indigo, dark: '#4338ca', light: '#818cf8', contrastText: '#ffffff' },
  error: { main: '#b42318', dark: '#912018', light: '#d92d20', contrastText: '#ffffff' },
  warning: { main: '#b54708', contrastText: '#ffffff' },
  success: { main: '#15803d', contrastText: '#ffffff' },
  info: { main: '#2563eb', contrastText: '#ffffff' },
  background: { default: '#fafafa', paper: '#ffffff' },
  text: { primary: '#16181d', secondary: '#5b6270', disabled: '#8a91a0' },
  divider: '#e5e7eb',
  action: { hover: '#f5f6f8', selected: '#eef0fe', active: '#5b6270' },
  phase: { proposed: '#2563eb', active: '#15803d', inactive: '#6b7280' },
  hairline: '#f0f1f3',
  field: '#8a91a0',
  soft: '#eef0fe',
  raised: '#ffffff',
}
const darkSchemeColors = {
  primary: { main: '#a5b4fc', dark: '#818cf8', light: '#c7d2fe', contrastText: '#16181d' },
  error: { main: '#ff8a80', dark: '#f97066', light: '#ffb4ab', contrastText: '#16181d' },
  warning: { main: '#fdb022', contrastText: '#16181d' },
  success: { main: '#5fd38d', contrastText: '#16181d' },
  info: { main: '#7aa2ff', contrastText: '#16181d' },
  background: { default: '#0f1115', paper: '#16191f' },
  text: { primary: '#e8eaee', secondary: '#a3aab8', disabled: '#7d8594' },
  divider: '#282c35',
  action: { hover: '#1c2028', selected: '#23264a', active: '#a3aab8' },
  phase: { proposed: '#7aa2ff', active: '#5fd38d', inactive: '#9aa3b2' },
  hairline: '#20242c',
  field: '#646b79',
  soft: '#23264a',
  raised: '#16191f',
}

/** A dropdown's panel is at most this high. */
const menuHeight = 256

export const theme = createTheme({
  cssVariables: { colorSchemeSelector: 'data' },
  colorSchemes: { light: { palette: lightSchemeColors }, dark: { palette: darkSchemeColors } },
  breakpoints: { values: { xs: 0, sm: 600, md: 960, lg: 1280, xl: 1920 } },
  shape: { borderRadius: 8 },
  typography: {
    fontFamily: '"Inter Variable", system-ui, sans-serif',
    fontSize: 14,
    h1: { fontSize: 20, lineHeight: '28px', fontWeight: 600, letterSpacing: '-0.015em' },
    h2: { fontSize: 16, lineHeight: '24px', fontWeight: 600, letterSpacing: '-0.01em' },
    h3: { fontSize: 14, lineHeight: '20px', fontWeight: 600 },
    body1: { fontSize: 14, lineHeight: '20px' },
    body2: { fontSize: 13, lineHeight: '18px' },
    caption: { fontSize: 12, lineHeight: '16px' },
    overline: { fontSize: 12, lineHeight: '16px', fontWeight: 600, textTransform: 'none', letterSpacing: 0 },
    button: { fontSize: 12, lineHeight: '16px', fontWeight: 600, letterSpacing: '0.03em', textTransform: 'uppercase' },
  },
  components: {
    MuiCssBaseline: {
      styleOverrides: {
        'a:not([class])': { color: 'inherit' },
        '[data-dnd-dragging]': {
          borderRadius: 8,
          backgroundColor: 'var(--mui-palette-background-paper)',
          boxShadow: '0 0 0 1px var(--mui-palette-primary-main), 0 8px 24px rgb(0 0 0 / 0.2)',
        },
        '::selection': { background: alpha('#818cf8', 0.35) },
      },
    },
    MuiButtonBase: { defaultProps: { disableRipple: true } },
    MuiButton: {
      defaultProps: { variant: 'outlined', disableElevation: true },
      styleOverrides: {
        root: {
          minHeight: 32,
          minWidth: 0,
          padding: '0 12px',
          gap: 6,
          whiteSpace: 'nowrap',
          '&.Mui-focusVisible': { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: 2 },
        },
        startIcon: { margin: 0 },
        outlined: ({ theme: { vars } }) => ({
          variants: [
            {
              props: { color: 'primary' },
              style: {
                color: vars.palette.text.primary,
                borderColor: vars.palette.divider,
                backgroundColor: vars.palette.background.paper,
                '&:hover': { backgroundColor: vars.palette.action.hover, borderColor: vars.palette.text.disabled },
              },
            },
          ],
        }),
        contained: {
          variants: [
            {
              props: { color: 'primary' },
              // White on indigo 600 in both schemes; the dark scheme's lighter accent is for text and icons.
              style: { backgroundColor: indigo, color: '#ffffff', '&:hover': { backgroundColor: '#4338ca' } },
            },
          ],
        },
      },
    },
    MuiIconButton: {
      styleOverrides: {
        root: ({ theme: { vars } }) => ({
          width: 32,
          height: 32,
          borderRadius: 8,
          padding: 0,
          color: vars.palette.text.secondary,
          '&:hover': { backgroundColor: vars.palette.action.hover },
          '&.Mui-focusVisible': { outline: `2px solid ${vars.palette.primary.main}`, outlineOffset: 1 },
          '&[aria-current=page], &[aria-pressed=true]': { backgroundColor: vars.palette.soft, color: vars.palette.primary.main },
          variants: [{ props: { size: 'small' }, style: { width: 24, height: 24, borderRadius: 6 } }],
        }),
      },
    },
    MuiSvgIcon: {
      styleOverrides: { root: { fontSize: 18, variants: [{ props: { fontSize: 'small' }, style: { fontSize: 14 } }] } },
    },
    MuiPaper: { defaultProps: { elevation: 0 } },
    MuiCard: {
      defaultProps: { variant: 'outlined' },
      styleOverrides: { root: { borderRadius: 10 } },
    },
    MuiDialog: {
      styleOverrides: {
        paper: ({ theme: { vars } }) => ({
          borderRadius: 12,
          border: `1px solid ${vars.palette.divider}`,
          backgroundImage: 'none',
          boxShadow: '0 16px 48px rgb(0 0 0 / 0.18)',
          variants: [{ props: { fullScreen: true }, style: { borderRadius: 0, border: 0 } }],
        }),
      },
    },
    MuiDialogTitle: { styleOverrides: { root: { fontSize: 16, lineHeight: '24px', fontWeight: 600, padding: '16px 20px 12px' } } },
    MuiDialogContent: { styleOverrides: { root: { padding: '8px 20px' } } },
    MuiDialogActions: {
      styleOverrides: { root: { padding: '12px 20px 16px', gap: 8, '& > :not(style) ~ :not(style)': { marginLeft: 0 } } },
    },
    MuiTextField: { defaultProps: { size: 'small', fullWidth: true } },
    MuiFormControl: { defaultProps: { size: 'small' } },
    // Labels stand above their fields: always readable, never in the way of the value.
    MuiInputLabel: {
      defaultProps: { shrink: true },
      styleOverrides: {
        root: ({ theme: { vars } }) => ({
          position: 'static',
          transform: 'none',
          maxWidth: 'none',
          whiteSpace: 'normal',
          overflowWrap: 'anywhere',
          marginBottom: 6,
          fontSize: 12,
          lineHeight: '16px',
          fontWeight: 600,
          color: vars.palette.text.secondary,
          '&.Mui-focused': { color: vars.palette.text.secondary },
          '&.Mui-error': { color: vars.palette.error.main },
        }),
      },
    },
    MuiOutlinedInput: {
      defaultProps: { notched: false },
      styleOverrides: {
        root: ({ theme: { vars } }) => ({
          backgroundColor: vars.palette.background.paper,
          '&:hover:not(.Mui-focused, .Mui-disabled, .Mui-error) .MuiOutlinedInput-notchedOutline': {
            borderColor: vars.palette.text.secondary,
          },
        }),
        input: { padding: '7px 10px', height: 20 },
        multiline: { padding: '8px 10px', '& .MuiInputBase-input': { padding: 0 } },
        notchedOutline: ({ theme: { vars } }) => ({ borderColor: vars.palette.field, top: 0, '& legend': { display: 'none' } }),
      },
    },
    MuiInputBase: {
      styleOverrides: {
        root: { fontSize: 14, lineHeight: '20px' },
        input: {
          // Words begin at the side that their script begins at.
          unicodeBidi: 'plaintext',
          '&::placeholder': { opacity: 1, color: 'var(--mui-palette-text-secondary)' },
        },
      },
    },
    MuiFormHelperText: { styleOverrides: { root: { marginLeft: 0, fontSize: 12, lineHeight: '16px' } } },
    MuiFormControlLabel: { styleOverrides: { root: { marginLeft: -6, marginRight: 0 }, label: { fontSize: 14 } } },
    MuiCheckbox: {
      defaultProps: { size: 'small' },
      styleOverrides: {
        root: {
          padding: 6,
          '& .MuiSvgIcon-root': { fontSize: 21 },
          '&.Mui-focusVisible': { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: -2, borderRadius: 8 },
        },
      },
    },
    MuiMenu: {
      styleOverrides: {
        paper: ({ theme: { vars } }) => ({
          maxHeight: menuHeight,
          marginTop: 4,
          borderRadius: 10,
          border: `1px solid ${vars.palette.divider}`,
          backgroundImage: 'none',
          boxShadow: '0 8px 24px rgb(0 0 0 / 0.12)',
        }),
        list: { padding: 4 },
      },
    },
    MuiMenuItem: {
      styleOverrides: {
        root: { minHeight: 32, padding: '4px 10px', borderRadius: 6, fontSize: 14, gap: 8, '& .MuiListItemIcon-root': { minWidth: 0 } },
      },
    },
    MuiListItemButton: {
      styleOverrides: {
        root: ({ theme: { vars } }) => ({
          minHeight: 36,
          margin: '0 8px',
          padding: '0 8px',
          gap: 10,
          borderRadius: 8,
          '&[aria-current=page]': { backgroundColor: vars.palette.soft, color: vars.palette.primary.main },
        }),
      },
    },
    MuiListSubheader: {
      styleOverrides: {
        root: ({ theme: { vars } }) => ({
          fontSize: 12,
          lineHeight: '32px',
          fontWeight: 600,
          backgroundColor: 'transparent',
          color: vars.palette.text.secondary,
        }),
      },
    },
    MuiDrawer: { styleOverrides: { paper: { backgroundImage: 'none' } } },
    MuiListItemIcon: { styleOverrides: { root: { minWidth: 0, color: 'inherit' } } },
    MuiSelect: { defaultProps: { MenuProps: { slotProps: { paper: { style: { maxHeight: menuHeight } } } } } },
    MuiAutocomplete: {
      defaultProps: { slotProps: { listbox: { style: { maxHeight: menuHeight } } } },
      styleOverrides: {
        root: {
          '& .MuiOutlinedInput-root.MuiInputBase-sizeSmall': {
            paddingTop: 2,
            paddingBottom: 2,
            paddingLeft: 6,
            '& .MuiAutocomplete-input': { padding: '5px 4px' },
            // Under the arrow of a plain dropdown.
            '& .MuiAutocomplete-endAdornment': { right: 2 },
          },
        },
        tag: { height: 24, margin: 2 },
        paper: ({ theme: { vars } }) => ({
          marginTop: 4,
          borderRadius: 10,
          border: `1px solid ${vars.palette.divider}`,
          backgroundImage: 'none',
          boxShadow: '0 8px 24px rgb(0 0 0 / 0.12)',
        }),
      },
    },
    MuiAlert: {
      styleOverrides: {
        root: { fontSize: 14, padding: '4px 12px', border: '1px solid color-mix(in srgb, currentColor 20%, transparent)' },
      },
    },
    MuiLink: { defaultProps: { underline: 'hover' } },
    MuiSkeleton: { defaultProps: { animation: 'wave' } },
  },
})

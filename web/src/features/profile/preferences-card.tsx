import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { useColorScheme } from '@mui/material/styles'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useId } from 'react'
import { DarkIcon, LightIcon, SystemIcon } from '../../components/icons.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { enableShortcuts, useShortcutsEnabled } from '../../lib/use-shortcuts.ts'

const schemes = [
  ['system', 'System', SystemIcon],
  ['light', 'Light', LightIcon],
  ['dark', 'Dark', DarkIcon],
] as const

/** What this browser remembers; nothing of it is sent. */
export function PreferencesCard() {
  const { mode = 'system', setMode } = useColorScheme()
  const hasShortcuts = useShortcutsEnabled()
  const id = useId()
  return (
    <SectionCard title="This browser" padded>
      <Box sx={{ display: 'grid', gap: 2.5 }}>
        <div>
          <Box id={id} sx={{ mb: 0.75, fontSize: 12, fontWeight: 600, color: 'text.secondary' }}>
            Theme
          </Box>
          <ToggleButtonGroup
            exclusive
            fullWidth
            size="small"
            aria-labelledby={id}
            value={mode}
            onChange={(_event, wanted) => wanted && setMode(wanted)}
          >
            {schemes.map(([value, label, Icon]) => (
              <ToggleButton
                key={value}
                value={value}
                sx={{
                  gap: 0.75,
                  minHeight: 34,
                  fontSize: 13,
                  textTransform: 'none',
                  letterSpacing: 0,
                  color: 'text.secondary',
                  '&.Mui-selected, &.Mui-selected:hover': { bgcolor: 'soft', color: 'primary.main' },
                  '&.Mui-focusVisible': { outline: 2, outlineColor: 'primary.main', zIndex: 1 },
                }}
              >
                <Icon fontSize="small" />
                {label}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
        </div>
        <div>
          <FormControlLabel
            label="Keyboard shortcuts"
            control={<Switch size="small" checked={hasShortcuts} onChange={(_event, checked) => enableShortcuts(checked)} sx={{ mr: 1 }} />}
            sx={{ ml: 0 }}
          />
          <Box sx={{ mt: 0.5, fontSize: 13, color: 'text.secondary' }}>Press ? on any page to see what works there.</Box>
        </div>
      </Box>
    </SectionCard>
  )
}

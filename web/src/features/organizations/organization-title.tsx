import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import type { Response } from '@tessera/contract/call'
import { messages } from '@tessera/contract/messages'
import { type getOrganizationData, setOrganizationData } from '@tessera/contract/organizations'
import { useState } from 'react'
import { EditIcon } from '../../components/icons.tsx'
import { notify } from '../../components/toaster.tsx'
import { Tooltip } from '../../components/tooltip.tsx'
import { SessionTimedOut, useCallMutation } from '../../lib/api.ts'
import { nameRule } from '../../lib/field-rules.ts'

/** The organization's title, edited in place. */
export function OrganizationTitle({ organization }: { organization: Response<typeof getOrganizationData> }) {
  const { idOrganization, Title, Editable } = organization
  const [typed, type] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const save = useCallMutation(setOrganizationData)
  const close = () => {
    type(undefined)
    setProblem(undefined)
  }
  if (typed === undefined) {
    return (
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 36, mb: 2.5 }}>
        <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
          {Title}
        </Typography>
        {Editable === 1 && (
          <Tooltip title="Rename the organization">
            <IconButton onClick={() => type(Title)}>
              <EditIcon />
            </IconButton>
          </Tooltip>
        )}
      </Box>
    )
  }
  const submit = () => {
    const verdict = nameRule('a title')(typed)
    if (verdict !== true) return setProblem(verdict)
    if (typed.trim() === Title) return close()
    save.mutate(
      { idOrganization, Title: typed.trim() },
      {
        onSuccess: () => {
          notify.success(messages.settingsSaved)
          close()
        },
        onError: failure => {
          if (failure instanceof SessionTimedOut) return
          notify.error(messages.saveFailed)
          setProblem(failure.message)
        },
      },
    )
  }
  return (
    <Box
      component="form"
      noValidate
      sx={{ display: 'flex', alignItems: 'flex-start', gap: 1, mb: 2.5, maxWidth: 640 }}
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
      onKeyDown={event => {
        if (event.key === 'Escape') close()
      }}
    >
      <TextField
        hiddenLabel
        autoFocus
        value={typed}
        onChange={event => {
          type(event.target.value)
          setProblem(undefined)
        }}
        error={Boolean(problem)}
        helperText={problem}
        slotProps={{ htmlInput: { 'aria-label': 'Title' } }}
      />
      <Button onClick={close} sx={{ minHeight: 36 }}>
        CANCEL
      </Button>
      <Button type="submit" variant="contained" disabled={save.isPending} sx={{ minHeight: 36 }}>
        SAVE
      </Button>
    </Box>
  )
}

import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Skeleton from '@mui/material/Skeleton'
import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useQuery } from '@tanstack/react-query'
import { getCommentHistory } from '@tessera/contract/comments'
import { useId } from 'react'
import { ErrorState } from '../../components/error-state.tsx'
import { callQuery } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { TextDiff } from './text-diff.tsx'

interface CommentHistoryDialogProps {
  idTicket: number
  idComment: number
  onClose: () => void
}

/** The versions of a comment, the latest first, each with what it changed. */
export function CommentHistoryDialog({ idTicket, idComment, onClose }: CommentHistoryDialogProps) {
  const id = useId()
  const { data, isPending, error, refetch } = useQuery(callQuery(getCommentHistory, { idTicket, idComment }))
  const fullScreen = useMediaQuery(useTheme().breakpoints.down('sm'))
  return (
    <Dialog open onClose={onClose} fullScreen={fullScreen} fullWidth maxWidth="sm" aria-labelledby={id}>
      <DialogTitle id={id}>Versions of this comment</DialogTitle>
      <DialogContent>
        {isPending && <Skeleton height={80} />}
        {error && !data && <ErrorState dense message={error.message} onRetry={() => void refetch()} />}
        <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {data?.map((version, index) => (
            <Box component="li" key={version.Version} sx={{ py: 1.25, '& + &': { borderTop: 1, borderColor: 'hairline' } }}>
              <Box sx={{ mb: 0.5, fontSize: 12, color: 'text.secondary' }}>
                Version {version.Version}, {formatDateTime(version.DateChanged)} - {version.Author}
              </Box>
              <TextDiff before={data[index + 1]?.Comment} after={version.Comment} />
            </Box>
          ))}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>CLOSE</Button>
      </DialogActions>
    </Dialog>
  )
}

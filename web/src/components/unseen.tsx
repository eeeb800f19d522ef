import { styled } from '@mui/material/styles'

/** Read by screen readers, seen by nobody. */
export const Unseen = styled('span')({
  position: 'absolute',
  width: 1,
  height: 1,
  margin: -1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
})

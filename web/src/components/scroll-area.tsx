import Box from '@mui/material/Box'
import type { SxProps, Theme } from '@mui/material/styles'
import { type ReactNode, useEffect, useRef, useState } from 'react'

interface ScrollAreaProps {
  /** Names what scrolls. */
  label: string
  sx?: SxProps<Theme>
  children: ReactNode
}

/** Scrolls what does not fit; then, and only then, the keyboard can reach it for that. */
export function ScrollArea({ label, sx = {}, children }: ScrollAreaProps) {
  const box = useRef<HTMLDivElement>(null)
  const [isScrolled, setScrolled] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() =>
      setScrolled(element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight),
    )
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [])
  return (
    <Box
      ref={box}
      {...(isScrolled && { tabIndex: 0, role: 'group', 'aria-label': label })}
      sx={[
        { overflow: 'auto', '&:focus-visible': { outline: 2, outlineColor: 'primary.main', outlineOffset: -2 } },
        ...(Array.isArray(sx) ? sx : [sx]),
      ]}
    >
      {children}
    </Box>
  )
}

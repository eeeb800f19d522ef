import { inRem } from '../src/lib/display/in-rem.ts'

// Our styles are written in pixels. This PostCSS plugin turns them into rem: docs/decisions/111-a-larger-font.md.
export const growsWithTheFont = {
  postcssPlugin: 'grows-with-the-font',
  Declaration(declaration: { value: string }) {
    declaration.value = inRem(declaration.value)
  },
  AtRule: {
    media(rule: { params: string }) {
      rule.params = inRem(rule.params)
    },
  },
}

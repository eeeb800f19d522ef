/** Unlike the attribute `maxlength`, this counts as the server does and cuts no emoji in two. */
export function firstCharacters(text: string, count: number) {
  return text.length > count ? [...text].slice(0, count).join('') : text
}

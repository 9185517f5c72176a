/** Puts a text on the clipboard; whether it is there now. */
export async function copyText(text: string): Promise<boolean> {
  // Browsers give the clipboard to secure pages only; a server at home mostly speaks plain HTTP.
  if (navigator.clipboard as Clipboard | undefined)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const field = document.createElement('textarea')
  field.value = text
  const active = document.activeElement
  const place = active?.closest('dialog') ?? document.body
  place.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (active instanceof HTMLElement) active.focus()
  return copied
}

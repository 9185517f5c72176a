/** Puts a text on the clipboard; whether it is there now. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Browsers give the clipboard to secure pages only, and a server at home mostly speaks plain HTTP.
    return copySelected(text)
  }
}

function copySelected(text: string): boolean {
  const active = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  ;(active?.closest('dialog') ?? document.body).append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (active instanceof HTMLElement) active.focus()
  return copied
}

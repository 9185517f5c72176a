/** A socket that remembers what it was told; the test speaks for the server. */
export class Line {
  static last: Line
  static readonly OPEN = 1
  readyState = 1
  sent: { type: string; id: string; command: { do: string } }[] = []
  onmessage: ((message: { data: string }) => void) | null = () => {}
  onclose: ((event: { code: number }) => void) | null = () => {}
  constructor() {
    Line.last = this
  }
  send(text: string) {
    this.sent.push(JSON.parse(text))
  }
  close() {
    this.readyState = 3
  }
  /** The connection is lost. */
  drop() {
    this.readyState = 3
    this.onclose?.({ code: 1006 })
  }
  hear(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
}

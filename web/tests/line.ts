/** A socket that remembers what it was told; the test speaks for the server. */
export class Line {
  static last: Line
  static readonly OPEN = 1
  readyState = 1
  sent: { type: string; id: string; command: { do: string } }[] = []
  onmessage: (message: { data: string }) => void = () => {}
  onclose: (event: { code: number }) => void = () => {}
  constructor() {
    Line.last = this
  }
  send(text: string) {
    this.sent.push(JSON.parse(text))
  }
  close() {}
  hear(message: object) {
    this.onmessage({ data: JSON.stringify(message) })
  }
}

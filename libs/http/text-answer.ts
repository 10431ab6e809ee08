import type { Response } from 'express';
import { sendText, setAnswerHeader } from './answer.js';

/** An answer that is no JSON. */
export class TextAnswer {
  constructor(
    private readonly contentType: string,
    private readonly text: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  send(response: Response, status: number): void {
    for (const [name, value] of Object.entries(this.headers)) setAnswerHeader(response, name, value);
    sendText(response, status, this.contentType, this.text);
  }
}

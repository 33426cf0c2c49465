// Owns a question that waits for the person: offered answers, an answer in own words, or none. Takes no focus by itself.
import { useState } from 'react'
import type { FormEvent } from 'react'
import type { QuestionRequest } from '@common/tools/approval'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/text-field'
import { useTranscriptActions } from '../transcript-actions'

export function QuestionCard({ question }: { readonly question: QuestionRequest }) {
  const { onAnswer } = useTranscriptActions()
  const [text, setText] = useState('')
  const [sent, setSent] = useState(false)
  const answer = (words: string | null) => {
    setSent(true)
    onAnswer(question.questionId, words)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') answer(text.trim())
  }
  return (
    <form onSubmit={submit} aria-label="Question from the agent" className="flex flex-col gap-3 p-3">
      <p dir="auto" className="text-body font-medium wrap-anywhere">
        {question.question}
      </p>
      {question.options.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {question.options.map((option) => (
            <Button
              key={option}
              disabled={sent}
              onClick={() => answer(option)}
              className="h-auto min-h-8 max-w-full py-1 text-left wrap-anywhere whitespace-normal"
            >
              {option}
            </Button>
          ))}
        </div>
      )}
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label={question.options.length > 0 ? 'Or in your own words' : 'Your answer'}
          value={text}
          onChange={setText}
          disabled={sent}
          dir="auto"
          className="min-w-48 flex-1"
        />
        <Button kind="primary" type="submit" disabled={sent || text.trim() === ''}>
          Answer
        </Button>
        <Button kind="quiet" disabled={sent} onClick={() => answer(null)}>
          Do not answer
        </Button>
      </div>
    </form>
  )
}

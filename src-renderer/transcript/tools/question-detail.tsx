// Owns a question of the agent after it was settled: the question and the answer, if there was one.

export interface QuestionDetailProps {
  readonly question: string
  readonly answer: string | null
}

export function QuestionDetail({ question, answer }: QuestionDetailProps) {
  return (
    <>
      <p dir="auto" className="text-body wrap-anywhere">
        {question}
      </p>
      {answer === null ? (
        <p className="text-small text-quiet">No answer.</p>
      ) : (
        <p
          dir="auto"
          className="max-w-fit rounded-regular bg-raised px-3 py-1.5 text-body whitespace-pre-wrap wrap-anywhere"
        >
          <span className="sr-only">Your answer: </span>
          {answer}
        </p>
      )}
    </>
  )
}

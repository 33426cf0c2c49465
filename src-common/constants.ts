// Owns every number of the product, each with its reason and source. A number elsewhere is a defect.
// Source unless said otherwise: the specification's table of constants (00).

// --- context budget
/** Share of the context limit at which automatic handling starts; a person sets 0.2 to 0.95 in steps of 0.05. */
export const DEFAULT_AUTO_THRESHOLD = 0.7
/** What a person may choose: the ends and the steps of the threshold, in points of the limit; past the end is off. */
export const MIN_THRESHOLD_PERCENT = 20
export const MAX_THRESHOLD_PERCENT = 95
export const THRESHOLD_STEP_PERCENT = 5
/** Kept free for the answer: at most a quarter of the limit, at most the model's max output. */
export const OUTPUT_RESERVE_TOKENS = 8_192
/** Points of the limit above the threshold at which a window rolls over. */
export const ROLLOVER_MARGIN_PERCENT = 5
/** Points of the limit below the threshold at which the agent is warned. */
export const WARNING_MARGIN_PERCENT = 10
/** The warning comes at least so many tokens before the rollover: room for a turn that writes the notes. */
export const WARNING_LEAD_TOKENS = 6_144
/** Points of the limit before the warning at which the composer begins to count down: time to finish a thought. */
export const COUNTDOWN_LEAD_PERCENT = 10
/** The warning turn must itself fit under the ceiling. */
export const WARNING_RESERVE_TOKENS = 2_048
/** Characters of the owning request that a lead-in quotes. */
export const LEAD_IN_QUOTE_CHARS = 500
/** A sealed tool result of so many characters is named in the lead-in, with how to fetch it: too long for a quote. */
export const LEAD_IN_RESULT_CHARS = 8_192
/** Bytes and tokens that the agent's notes may take in the system text, heading and marker included (N-1). */
export const NOTES_BYTES = 8_192
export const NOTES_TOKENS = 2_000
/** A genuine image part; a provider charges by area, this is a middling screenshot. */
export const IMAGE_TOKEN_ESTIMATE = 1_024
/** A PDF page, text and picture together. */
export const PDF_PAGE_TOKEN_ESTIMATE = 3_000
export const PDF_MAX_PAGES = 100
/** Role markers and separators of the wire formats. */
export const MESSAGE_FRAMING_TOKENS = 8
/** Strings are encoded in chunks so that no tokenizer sees a megabyte at once. */
export const COUNTING_CHUNK_CHARS = 4_096
/** A chunk border may split what would have been one token. */
export const COUNTING_CHUNK_SLACK_TOKENS = 8
/** BPE libraries are quadratic in the length of a run of one character class. */
export const COUNTING_MAX_RUN_BYTES = 256
/** Characters a token in a rough estimate of tool results. */
export const ESTIMATE_CHARS_PER_TOKEN = 4

// --- compaction
/** A week: who comes back later than that does not mind the minute that a summary takes. */
export const MAX_IDLE_COMPACTION_HOURS = 168
/** What the settings offer first: a night. */
export const USUAL_IDLE_COMPACTION_HOURS = 8
/** How often quiet windows are looked for: a fraction of the hour that is the unit of the setting. */
export const IDLE_CHECK_INTERVAL_MS = 300_000
/** Of the rollover point: a window that holds less is read again for less than its summary costs. */
export const IDLE_COMPACTION_MIN_SHARE = 0.1
/** What a compaction carries over beside its summary, all of it (K-3): about a tenth of a usual window. */
export const POST_COMPACTION_CONTEXT_CHARS = 80_000
/** It is built within this or left out: a boundary does not wait for a slow disk (K-3). */
export const POST_COMPACTION_CONTEXT_MS = 30_000
/** A longer plan is not read: in bytes, what the characters above take at most (three bytes of UTF-8 each). */
export const MAX_CARRIED_PLAN_BYTES = 240_000
/** Edited files that are carried, those edited last: more would be names alone in a fair share of the characters. */
export const MAX_CARRIED_FILES = 200
/** Things that a person switched off, as a workspace remembers them: the oldest, of files long gone, make room. */
export const MAX_CARRY_SWITCHES = 500

// --- demo model
/** Small on purpose: a newcomer sees warning, rollover and recovery within a minute. */
export const DEMO_CONTEXT_LIMIT = 24_000
export const DEMO_MAX_OUTPUT_TOKENS = 2_000

// --- history
/** A longer line is counted and skipped by readers, never buffered. */
export const MAX_LINE_BYTES = 1_048_576
/** An answer is closed and continued in the next row before it passes this (H-13). */
export const MAX_ROW_BYTES = 262_144
/** The streaming row is flushed at most this often (H-4): what a crash may cost. */
export const PARTIAL_FLUSH_INTERVAL_MS = 500
/** Reading step of the scanner: what the page cache serves best (measured, design/performance). */
export const SCAN_STEP_BYTES = 262_144
/** A pasted text beyond this becomes an attachment (H-13). */
export const MAX_PASTED_TEXT_BYTES = 131_072
/** A tool result kept in a row, in bytes of its JSON; the whole goes to `spill/`. */
export const MAX_TOOL_RESULT_BYTES = 32_768
/** How long a writer waits for another process's short write lock before it says so. */
export const HISTORY_LOCK_WAIT_MS = 5_000
/** An edit writes workspace.json some milliseconds after its rows; a turn may hold the same lock for much longer. */
export const FOREIGN_EDIT_WAIT_MS = 500

// --- paging to the screen
/** No string over this crosses IPC in one event or page. */
export const MAX_IPC_STRING_BYTES = 262_144
/** Rows a page: three screenfuls of short rows. */
export const PAGE_ROWS = 80
/** Deltas are batched per frame. */
export const FRAME_MS = 16

// --- session
/** Retries before anything was streamed in the step (T-4). */
export const MAX_PROVIDER_RETRIES = 3
/** First wait; doubles each time, with jitter, unless the server named its own. */
export const RETRY_BASE_DELAY_MS = 1_000
/** A server's retry-after beyond this is told to the person instead of waited for. */
export const MAX_RETRY_AFTER_MS = 120_000
/** No byte for this long counts as a network fault. */
export const PROVIDER_STALL_MS = 120_000
/** Steps a turn may take before it stops and says so: a runaway guard, far above real work. */
export const MAX_STEPS_PER_TURN = 500
/** Entries the queue of a workspace may hold. */
export const MAX_QUEUE_ENTRIES = 50
/** A title is the first line of the first message, cut to this. */
export const MAX_TITLE_CHARS = 80

// --- inspector
/** A page of a text that was sent: at most 192 KiB of UTF-8, so that it crosses IPC. */
export const MAX_INSPECTED_TEXT_CHARS = 65_536
/** Messages that one answer lists: about 100 KB; a usual window has fewer. */
export const MESSAGES_AN_INSPECTED_PAGE = 300
/** Reasons for which something was left out of a request: one entry each, so there are few. */
export const MAX_LEFT_OUT_ENTRIES = 100
/** Windows that the ledger lists one by one, with their models; those before are one line. */
export const MAX_LEDGER_WINDOWS = 200

// --- tools
/** Live output kept for a running tool on screen: its tail. */
export const MAX_LIVE_OUTPUT_CHARS = 65_536
export const BASH_DEFAULT_TIMEOUT_SECS = 120
export const BASH_MAX_TIMEOUT_SECS = 3_600
/** Time between SIGTERM and SIGKILL of a process tree. */
export const KILL_GRACE_MS = 2_000
/** Lines that file_read returns when no limit is given. */
export const FILE_READ_DEFAULT_LINES = 2_000
/** A text file beyond this is read by range only. */
export const FILE_READ_MAX_BYTES = 10_485_760
export const GLOB_MAX_PATHS = 1_000
export const GREP_MAX_MATCHES = 500
/** How long output is still read after the shell ended while a process that it left holds the pipe. */
export const BASH_DRAIN_MS = 250
/** A log stops growing here, so that a command which never stops printing cannot fill the disk. */
export const BASH_MAX_LOG_BYTES = 268_435_456
/** A tool that does not answer its abort signal is given up after this: KILL_GRACE_MS and some air. */
export const TOOL_ABORT_GRACE_MS = 5_000
/** A longer line of a file is cut; of a spill it goes on in the next numbered line. */
export const FILE_READ_MAX_LINE_BYTES = 2_000
/** A matching line is cut to this by ripgrep: one match, not a minified bundle. */
export const GREP_MAX_LINE_BYTES = 500
/** Time limit of one glob or grep: a tree that takes longer wants a narrower path. */
export const SEARCH_TIMEOUT_MS = 30_000
/** A diff kept in a row: leaves room for the rest of the result under its cap. */
export const MAX_STORED_DIFF_CHARS = 8_192
/** A diff that a person is asked about: as much as one IPC event carries, JSON escapes allowed for. */
export const MAX_APPROVAL_DIFF_CHARS = 65_536
/** A command beyond this is not taken apart by the gate; it always asks. */
export const MAX_CHECKED_COMMAND_CHARS = 65_536
/** An agent file: a long prompt is a tenth of this. */
export const MAX_AGENT_FILE_BYTES = 65_536
/** Agent files read from one folder. */
export const MAX_AGENT_FILES = 200
/** A SKILL.md: guides keep them under 500 lines, about 20 KiB; a longer one belongs into files beside it. */
export const MAX_SKILL_FILE_BYTES = 65_536
/** Skills read from one folder. */
export const MAX_SKILLS = 200
/** Of a skill's description: what the files of other agents may hold. */
export const MAX_SKILL_DESCRIPTION_CHARS = 1_024
/** Globs of one skill. */
export const MAX_SKILL_GLOBS = 50
/** Skills that one tool call points out; further ones come with the next calls. */
export const MAX_SKILL_POINTERS = 5
/** Of a description in a pointer: a sentence or two. */
export const SKILL_POINTER_DESCRIPTION_CHARS = 300
/** Faulty skills that a person is told of one by one; the rest as a number. */
export const MAX_TOLD_SKILL_PROBLEMS = 5
/** Project instructions in the system prompt. */
export const MAX_INSTRUCTIONS_BYTES = 32_768
/** A single attachment; providers refuse larger images anyway. */
export const MAX_ATTACHMENT_BYTES = 33_554_432

// --- files that the model has seen
/** Text of a file kept in memory for the diff of a later change: a long source file. */
export const SEEN_TEXT_MAX_BYTES = 262_144
/** All of these texts of one workspace. */
export const SEEN_TEXTS_MAX_BYTES = 8_388_608
/** A larger file is known by its size and time alone: reading it whole would hold up a turn. */
export const SEEN_FILE_MAX_BYTES = 67_108_864
/** Files that are looked at when a turn starts, those seen last first: a fraction of a second. */
export const MAX_SEEN_FILES = 1_000
/** A file changed so shortly before it was looked at may change again within the same tick of its time. */
export const FRESH_FILE_MS = 2_000
/** Of a notice of changes: the diff of one file, all diffs, all names; names past that wait for the next turn. */
export const CHANGE_NOTICE_FILE_DIFF_CHARS = 4_096
export const CHANGE_NOTICE_DIFFS_CHARS = 12_288
export const CHANGE_NOTICE_NAMES_CHARS = 20_480
/** Of one message: files that are put in, bytes of one (head and tail of a longer one), bytes of all. */
export const MAX_MENTIONED_FILES = 20
export const MENTIONED_FILE_MAX_BYTES = 32_768
export const MENTIONED_FILES_MAX_BYTES = 131_072

// --- memory
/** Memories in the system text (Y-2): more would crowd out the conversation. */
export const HOT_MEMORY_ENTRIES = 8
/** Bytes of the files of all hot memories together. */
export const HOT_MEMORY_BYTES = 49_152
/** Tokens of all hot memories as they are sent, headings included. */
export const HOT_MEMORY_TOKENS = 12_000
/** A longer memory is skipped, and the panel says so: half a memory misleads. */
export const HOT_MEMORY_ENTRY_BYTES = 16_384
/** Skipped memories that workspace.json names: what a person would read. */
export const MAX_RECORDED_SKIPS = 50
/** A memory is a note, eight times what is preloaded at most; it also crosses to the window in one piece. */
export const MAX_MEMORY_FILE_BYTES = 131_072
/** Memories in one scope: every one is looked at when a window starts. */
export const MAX_MEMORIES_PER_SCOPE = 500
/** Folders below a scope, the file included. */
export const MAX_MEMORY_DEPTH = 6
/** A name of a memory: leaves room for the temporary name beside it, and for the longest that a disk takes. */
export const MAX_MEMORY_NAME_BYTES = 128
/** Deleted and replaced memories that the trash of a scope keeps. */
export const MAX_TRASHED_MEMORIES = 100
/** Memories that one view of a folder lists: fits into a row. */
export const MEMORY_VIEW_MAX_ENTRIES = 200
/** How long a change waits for another process's change, which takes milliseconds. */
export const MEMORY_LOCK_WAIT_MS = 5_000

// --- session_history and search
/** A result as it is stored and sent, its JSON and its markers included. */
export const HISTORY_RESULT_BYTES = 16_384
/** What one call reads: a few milliseconds of work. */
export const HISTORY_SCAN_BYTES = 2_097_152
/** Lines that one call looks at. */
export const HISTORY_SCAN_ROWS = 500
/** Hits that a search answers with when nobody says how many, and at most. */
export const HISTORY_SEARCH_HITS = 10
export const HISTORY_MAX_SEARCH_HITS = 25
/** Windows that a list answers with, likewise; so many fit a result unless their openings are odd. */
export const HISTORY_LIST_WINDOWS = 20
export const HISTORY_MAX_LIST_WINDOWS = 50
/** UTF-16 units of an item that one page holds, likewise. */
export const HISTORY_ITEM_CHARS = 8_000
export const HISTORY_MAX_ITEM_CHARS = 16_000
/** UTF-16 units of a hit's snippet, and of it before the match. */
export const SNIPPET_CHARS = 500
export const SNIPPET_LEAD_CHARS = 120
/** UTF-16 units of a window's opening. */
export const OPENING_CHARS = 200
/** Models copy long strings badly. */
export const MAX_HISTORY_CURSOR_CHARS = 160
/** A longer text is no search. */
export const MAX_SEARCH_QUERY_CHARS = 500

/**
 * Characters of a tool's result in a request for a summary of what is too long even from its newest answer on: room for
 * what a command was about, about 250 tokens, so that a step of many calls fits the smallest window.
 */
export const COMPACTION_RESULT_CHARS = 1_000

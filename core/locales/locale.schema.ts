import { type Static, Type } from '@sinclair/typebox';

/*
 * Schema of `locales/xx.json`: all texts and word lists of a language. A missing text falls back to English.
 */

const optional = Type.Optional;
const closed = { additionalProperties: false };
const text = (description?: string) =>
  Type.String({ pattern: '\\S', ...(description === undefined ? {} : { description }) });
const lines = (description: string) => Type.Array(text(), { minItems: 1, uniqueItems: true, description });

const plural = Type.Object(
  {
    zero: optional(text()),
    one: optional(text()),
    two: optional(text()),
    few: optional(text()),
    many: optional(text()),
    other: text(),
  },
  { ...closed, description: 'By plural form (CLDR).' },
);

const widget = Type.Object(
  {
    openChat: text(),
    closeChat: text(),
    dismiss: text(),
    conversation: text(),
    loading: text(),
    earlier: text(),
    newConversation: text(),
    suggestions: text(),
    you: text(),
    message: text(),
    placeholder: text(),
    send: text(),
    tooLong: plural,
    textOnly: text(),
    wait: text(),
    sending: text(),
    reconnecting: text(),
    notSent: text(),
    sendAgain: text(),
    refused: text(),
    answering: text(),
    stop: text(),
    stopped: text(),
    cutOff: text(),
    failed: text(),
    tryAgain: text(),
    sources: text(),
    newTab: text(),
    copy: text(),
    copied: text(),
    helpful: text(),
    unhelpful: text(),
    actionFailed: text(),
    talkToPerson: text('Button that asks for a person, and the message that it sends'),
    personAsked: text('While the visitor waits for a person'),
    usualWait: text('{time}: such as "5 min"'),
    cancelRequest: text('Button that takes the request for a person back'),
    nobodyAvailable: text('A person was asked for, and none is there'),
    personJoined: text(),
    personTyping: text(),
    agentAgain: text('The person has left, and the agent answers'),
    conversationClosed: text(),
    conversations: text('Button that opens the list of earlier conversations, and its heading'),
    newMessages: text('{count}: messages that the visitor has not seen'),
    whatWasWrong: text('Field for a comment after a negative rating'),
    thankYou: text('After the comment was sent'),
    leaveContact: text('Button that opens the form for contact details'),
    contactName: text('Field of the form: name of the person'),
    contactEmail: text(),
    contactPhone: text(),
    contactSent: text('In place of the form after it was sent'),
    poweredBy: text(),
    previewQuestion: text(),
    previewAnswer: text(),
  },
  { ...closed, description: 'Texts of the widget.' },
);

const messages = Type.Object(
  {
    rateLimited: text('Sent to a visitor who exceeds the rate limit, if the agent has no message for that.'),
    unavailable: text('The workspace has used up its messages of visitors for today.'),
    onlyAttachments: text('The answer to a message of pictures or files without text.'),
    nothingFound: text('No source is about the question.'),
    person: text('The answer to a message that asks for a person. Below it, the widget shows the button.'),
    personAsked: text('The answer on a social platform to a message that asks for a person, who was told.'),
    noPerson: text('Sent when no person has answered for a while.'),
    personAnswered: text(
      'Subject of the e-mail to a visitor with the answer of a person. {name}: the person',
    ),
    continueChat: text('Link in that e-mail to the site with the chat'),
    stopMails: text('Link in that e-mail that stops such e-mails, and the button of its page'),
    mailsStopped: text('On that page after the button was pressed'),
    suggested: text('Introduces titles of sources that do not answer the question.'),
    greeting: text(),
    thanks: text(),
    goodbye: text(),
  },
  { ...closed, description: 'Messages that agents send without a language model.' },
);

const smallTalk = Type.Object(
  {
    greeting: text(),
    thanks: text(),
    goodbye: text(),
    person: optional(text('Asks for a person: "can I talk to a human". The label of the button is added.')),
    filler: optional(text('Accompanies small talk, but is not small talk on its own.')),
  },
  {
    ...closed,
    description:
      'Phrases of small talk in messages of users, separated by commas. Case, accents and punctuation do not matter.',
  },
);

const words = Type.Object(
  {
    common: text(
      'Words that say little about the topic of a question, separated by spaces: articles, pronouns, prepositions, auxiliary verbs, question words, and verbs that any request may contain. In an agent with few sources, the frequency of a word does not show that. Words such as "open", "price" or "order" are missing on purpose: they are topics.',
    ),
    leastUnspaced: optional(
      Type.Integer({
        minimum: 1,
        description:
          'Only for languages without spaces between words: minimum code points of a common word that is recognised inside a text.',
      }),
    ),
    endings: optional(
      lines(
        'Endings of words with the same stem; `-` is the empty ending. A word with one ending of a line also matches with the others ("dog", "dogs"; "charge", "charging"). Terms are truncated to six letters, which joins the forms of longer words.',
      ),
    ),
    synonyms: optional(
      lines(
        'A line has words with a similar meaning in questions that people ask companies, authorities and software, or about any topic. Words with # are kinds of values that answer such a question (core/retrieval/words/value-kinds.ts).',
      ),
    ),
    questions: Type.Object(
      {
        time: optional(text('Ask for a time, day or date.')),
        number: optional(
          text(
            'Ask for a number or a price. Leave out words that other languages often use for something else, without their accents: Swahili "bei", Vietnamese "mấy".',
          ),
        ),
        extent: optional(
          text(
            'Ask for a duration, distance, frequency or time of day, which a text may state without a number: "until midnight".',
          ),
        ),
      },
      { ...closed, description: 'Phrases in questions, separated by commas.' },
    ),
    numbers: optional(
      text(
        'Words that answer "how many?", "how long?" or "how much?" without digits, separated by commas: "two", "twice", "daily", "free". Leave out articles. With this list, a question for a count, an age or a price is only answered with one.',
      ),
    ),
    followUps: optional(
      Type.Object(
        {
          openings: optional(text('Begin a question that continues the one before: "and", "what about".')),
          references: optional(
            text(
              'Refer to something named before, anywhere in a question: "it", "them". Leave out articles.',
            ),
          ),
          endings: optional(
            text(
              'The same, but only as the last word: "there", German "das", which is otherwise an article.',
            ),
          ),
        },
        {
          ...closed,
          description:
            'Phrases of questions that depend on the question before, separated by commas. Accents matter.',
        },
      ),
    ),
    negations: optional(text('Words of negation and exclusion, separated by commas. Accents do not matter.')),
  },
  { ...closed, description: 'Lists of words for search.' },
);

export const localeSchema = Type.Object(
  {
    widget: Type.Partial(widget),
    messages: Type.Partial(messages),
    smallTalk: optional(smallTalk),
    words: Type.Union([words, Type.Null()], {
      description: 'Null: there are none, or another locale of the language has them.',
    }),
  },
  closed,
);

export const englishSchema = Type.Object({ ...localeSchema.properties, widget, messages }, closed);

export type Locale = Static<typeof localeSchema>;
export type WidgetTexts = Static<typeof widget>;
export type BuiltInMessages = Static<typeof messages>;
export type WordLists = Static<typeof words>;

import type { NameWords } from './name-words.js';
import { lines } from './phrases.js';

/** Names of the content and its parts. */
export const namesOfContent = {
  articleBody: {
    among: {
      en: lines`
        (article|post|entry|story|news|press|blog|blogpost|blog ?post|field ?name) ?(body|content|contents|text|copy|inner ?content|full|main|description|entry)
        (page|single|content|main|body|text|document|doc|node|detail) ?(body|content|contents|text|copy|inner ?content|full|main|description|entry)
        (recipe|product|event|question|answer|topic|thread|message|lesson|case) ?(body|content|contents|text|copy|inner ?content|full|main|description|entry)
        h ?entry
        prose
        rte
        richtext
        wysiwyg
        fulltext
        markdown
        rst content
        parser output
        documentwrapper
      `,
      de: lines`
        fliesstext
        inhalt
        artikeltext
        ce ?bodytext
      `,
      es: lines`
        texto?
        contenido
        cuerpo
      `,
      fr: lines`
        contenu
      `,
    },
    alone: {
      en: lines`
        article
        entry
        story
        post
      `,
      de: lines`
        artikel
        beitrag
      `,
      es: lines`
        nota
        noticia
      `,
    },
  },
  verse: {
    among: {
      en: lines`
        poems?
        poetry
        verses?
        stanzas?
        lyrics?
        song ?text
      `,
      de: lines`
        gedichte?
        liedtexte?
        strophe
      `,
      fr: lines`
        po[eè]mes?
        paroles
      `,
      es: lines`
        poemas?
        letra
      `,
    },
  },
  lead: {
    among: {
      en: lines`
        lead
        lede
        leads
        intro(duction)?
        intro ?text
        stand ?first
        dek
        deck
        sub ?title
        sub ?head(ing|line)?
        summary
        abstract
        excerpt
        teaser ?text
        headline
        strapline
        preamble
      `,
      fr: lines`
        chapo
        chapeau
        sommaire
      `,
      de: lines`
        vorspann
        anrisstext
        einleitung
      `,
      es: lines`
        entradilla
        bajada
        copete
        resumen?
      `,
      cs: lines`
        perex
      `,
      sv: lines`
        ingress
      `,
    },
  },
  note: {
    among: {
      en: lines`
        notes?
        admonition\w*
        callouts?
        tips?
        hints?
        warnings?
        cautions?
        important
        info ?box
        pullquote
        quote
        footnotes?
        sidenotes?
        example
        alert
        danger
        notice
      `,
    },
  },
  disclosure: {
    among: {
      en: lines`
        accordions?\w*
        collaps\w*
        tab ?panels?
        tab ?panes?
        tab ?contents?
        faqs?
        answers?
        toggle ?content
        details?
        expand\w*
        panel ?(body|content|collapse)
        region
      `,
    },
  },
} satisfies Record<string, NameWords>;

import type { NameWords } from './name-words.js';
import { lines } from './phrases.js';

/** Names of parts beside the content: sharing, related articles, discussion, dates and authors. */
export const namesBeside = {
  share: {
    among: {
      en: lines`
        shar(e|es|ing|er|rs)
        share\w{0,8}
        social\w{0,10}
        shariff
        add ?this
        addtoany
        a2a
        sns
        follow( us)?
        follow ?links?
        like ?button
        likes
        tweet ?(button|this)
        retweet
        facebook
        twitter ?(share|button)
        whats ?app
        pinterest
        bookmark(s|let)?s?
        jp relatedposts
        jp post flair
        feedback
        rating(s)?
        votes?
        voting
        reactions?
        claps?
        print ?(link|button|page|icon|this|version)
        email ?(this|link)
        tools
        actions?
        buttons?
        btn ?group
        permalink
        wpcnt
        wpa
      `,
    },
  },
  related: {
    among: {
      en: lines`
        related\w*
        recommend\w*
        recirc\w*
        more ?(stories|articles|news|posts|from|on|like|links|in)
        also ?(like|read)
        you ?may
        read ?(more|next|also)
        see ?also
        up ?next
        next ?up
        most ?(read|popular|viewed|shared|commented)
        recent ?(posts?|articles|comments|news)
        outbrain
        taboola
        zergnet
        further ?reading
        similar\w*
        suggest(ed|ions?)
        cross ?(sell|links?)
        upsells?
        other ?(posts|articles|news|stories)
        rel ?(posts|articles)
        yarpp\w*
        crp ?related
        wp ?rp
        zemanta\w*
        entry ?unrelated
        read ?on
        continue
        in ?brief
        top ?ten
        trackbacks?
        pingbacks?
      `,
      de: lines`
        weitere
      `,
    },
  },
  teasers: {
    among: {
      en: lines`
        teasers?
        promo(s|tion|tions|ted|box)?
        popular\w*
        trending
        latest ?(news|posts|articles|stories)
        carousel
        slider
        slick
        swiper
        ticker
        top ?(stories|news|posts)
        link ?list
        collection ?list
      `,
    },
  },
  newsletter: {
    among: {
      en: lines`
        news ?letters?\w*
        subscri(be|ption)s?\w*
        sign ?up
        mailing ?list
        mailchimp
        mc ?embed\w*
        donat(e|ion|ions)
        regwall
        opt ?in
        lead ?magnet
        call ?to ?action
        cta
      `,
    },
  },
  comments: {
    among: {
      en: lines`
        comments?(?! (open|closed|on|off|allowed|enabled|disabled|count) )
        comment ?(list|s|section|area|form|wrapper|thread|respond|template|body|content|reply|author|meta)
        respond
        reply ?(title|form)
        disqus
        disqus ?thread
        fb ?comments
        livefyre
        commento
        talkback
        discussion ?link
        comments\w{1,10}
        leave ?(a ?)?(comment|reply)
        guest ?book
      `,
      de: lines`
        kommentare?
      `,
      es: lines`
        comentarios?
      `,
      fr: lines`
        commentaires?
      `,
    },
  },
  meta: {
    among: {
      en: lines`
        (?<! (recipe|product|event|book|course|property|film|movie|game|job|vehicle|hotel|place|venue|company|project|release) )meta
        meta ?(data|info|box|bar)
        (post|entry|article|blog) ?(meta|info|details|data|date|stats|time|author|byline|credits?)
        item ?(meta|date|time|author|byline|credits?)
        (post|entry|article|blog|item) ?(tags?|categor(y|ies)|cats?|utility|footer|header ?meta)
        postmetadata
        date ?line
        datetime
        (post|entry|article|news|publish(ed)?|publication|creation|blog) ?(date|time)
        date ?(published|posted|created|modified|header)
        time ?stamp
        posted ?(on|by|in)
        published
        pub ?date
        updated
        modified
        last ?(modified|updated|edited)
        byline\w*
        by ?line
        tags?
        tag ?(list|links|s)
        taxonomy
        keywords?
        categor(y|ies)
        cat ?links
        filed ?under
        post ?labels
        read(ing)? ?time
        eyebrow
        kicker
        (post|page|article|entry|total) ?views
        view ?counts?
        word ?count
        hits
        docinfo
        page ?info
        page ?actions
      `,
    },
    alone: {
      en: lines`
        views
      `,
    },
  },
  author: {
    among: {
      en: lines`
        author ?(bio|box|info|card|description|details|profile|about|block|area|wrap\w*|s|meta|name)
        about ?(the ?)?author
        author
        bio
        biography ?box
        contributor
        profile ?card
        vcard
        post ?author
        entry ?author
        writer
        byline ?bio
        post ?profile
        user ?(info|details|card|title)
        poster ?(info|details)
        (?<! (member|type|method|function|class|api|code|post) )signatures?
        (post|user|forum|message) ?sig(nature)?
        avatar
        abh ?box
        saboxplugin\w*
      `,
    },
  },
  contents: {
    among: {
      en: lines`
        toc
        tocs
        table ?of ?contents
        lwptoc
        toc ?(container|list|wrapper|content)
        on ?this ?page
        page ?toc
        local ?toc
        contents ?list
        anchor ?links
        index ?list
      `,
      de: lines`
        inhaltsverzeichnis
      `,
    },
  },
  gutter: {
    among: {
      en: lines`
        gutter
        line ?numbers?( rows)?
        linenos?
        linenodiv
        lnum
        hljs ln numbers
        blob num
        code ?lines? ?no
        copy ?(button|btn|code)
        clipboard ?\w*
      `,
    },
    alone: {
      en: lines`
        copy
      `,
    },
  },
  editLink: {
    among: {
      en: lines`
        edit ?section
        header ?link
        heading ?anchor
        header ?anchor
        anchor ?link
        anchorjs link
        hash ?link
        anchor
        octicon
        perma ?link
        direct ?link
        edit ?(link|page|this)
        view ?source
        reference ?marker
      `,
    },
  },
} satisfies Record<string, NameWords>;

import type { NameWords } from './name-words.js';
import { lines } from './phrases.js';

/** Names of parts around the content: frames, menus, notices. */
export const namesAround = {
  navigation: {
    among: {
      en: lines`
        (\w*nav(bar|s|igation|igator|box|i)?|sub ?nav|site ?nav|main ?nav|top ?nav)
        (\w{0,8}menus?|menu ?bar|sub ?menu|menubar)
        breadcrumbs?\w*
        crumbs?
        pagination
        paginator
        pager
        paging
        page ?numbers?
        page ?links
        prev ?next
        next ?prev
        skip ?links?
        skip ?to
        skip
        top ?bar
        header ?top
        top ?header
        tool ?bar
        nav ?tabs
        language ?(switcher|selector|chooser)
        lang ?switch\w*
        navigationlinks
        site ?map
        site ?search
        post ?nav\w*
        jump ?to
        back ?to ?top
        scroll ?top
      `,
    },
  },
  footer: {
    among: {
      en: lines`
        \w*footer
        foot
        colophon
        bottom ?bar
        imprint
        copyrights?
        legal ?(links?|notice)
        site ?info
        disclaimer
        footer\w{0,12}
      `,
    },
  },
  sidebar: {
    among: {
      en: lines`
        \w*side ?bars?\w*
        (right|left) ?rail
        side ?(col(umn)?|panel|content|nav|box|block)
        secondary ?(content|column|col|sidebar|area)
        blogroll
        tag ?cloud
        complementary
        marginal\w*
      `,
    },
    alone: {
      en: lines`
        side
        rail
        secondary
        tertiary
        aside
        archives?
        calendar
      `,
    },
  },
  column: {
    among: {
      en: lines`
        right ?col(umn)?
        left ?col(umn)?
        col ?right
        col ?left
        third ?col(umn)?
        extra
        supplement\w*
      `,
    },
    alone: {
      en: lines`
        widgets?
        widget ?area
        box
        module
        portlet
        block
      `,
    },
  },
  header: {
    alone: {
      en: lines`
        ((site|page|main|top|global|web) ?)?(header|masthead|kopf|cabecera|banner)( (wrapper|wrap|container|inner|outer|area))?
      `,
    },
  },
  cookie: {
    among: {
      en: lines`
        \w*cookies?\w*
        consent
        gdpr
        ccpa
        one ?trust
        truste
        cmp
        cmplz
        privacy ?(banner|notice|bar|popup)
        eu ?law
      `,
      de: lines`
        dsgvo
      `,
      fr: lines`
        rgpd
      `,
    },
  },
  popup: {
    among: {
      en: lines`
        pop ?ups?
        popup\w*
        modals?
        overlays?
        light ?box
        tool ?tips?
        drop ?downs?
        off ?canvas
        drawer
        toast
        snackbar
        interstitial
        dialog
        flyout
        notification
        alert ?bar
        announcement ?bar
        notice ?bar
        app ?banner
        smart ?banner
        no ?js
        noscript
        outdated ?browser
        browse ?happy
        browser ?upgrade
        adblock\w*
        accessibility ?(links|menu)
      `,
    },
  },
  advert: {
    among: {
      en: lines`
        ads?
        ad ?(s|box|slot|unit|wrapper|container|banner|block|zone|space|label|top|bottom|holder)
        advert\w*
        adsense
        adsbygoogle
        google ?ads?
        dfp
        gpt
        banners?
        sponsor\w*
        skyscraper
        commercials?
        affiliate\w*
        mpu
        leaderboard
        native ?ad
        promoted
      `,
      de: lines`
        werbung
        anzeigen?
      `,
      fr: lines`
        publicit[ey]
        pub
      `,
      es: lines`
        publicidad
      `,
    },
  },
  form: {
    among: {
      en: lines`
        search\w{0,6}
        search ?(form|box|bar|field|results? ?form)
        log ?in
        login\w{0,6}
        sign ?in
        register
        registration
        forms?
        contact ?form
        wpcf7
        gform
        captcha
        poll
        survey
        quiz
      `,
    },
  },
  unseen: {
    among: {
      en: lines`
        sr only
        screen ?reader( text| only)?
        screenreader\w*
        visually ?hidden
        element ?(hidden|invisible)
        assistive ?text
        hide ?text
        off ?screen
        print ?only
        only ?print
        no ?print
        uk hidden
        accessibly hidden
        a11y ?hidden
      `,
    },
    alone: {
      en: lines`
        hidden
        hide
        invisible
      `,
    },
  },
} satisfies Record<string, NameWords>;

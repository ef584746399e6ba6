"""Words of English: those that bind, those that order, those that fit everywhere, common ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

_BINDING_TEXT: Final = """
a about across after against all along also although among an and another any are around as at be
because been before being between beyond both but by can could did do does during each either even
ever every few for from had has have he here him his how i if in into is it its itself just like
may me more most much must my no nor not now of off on once one only onto or other our ours out
over own per quite rather same shall she should since so some still such than that the their them
themselves then there these they this those though through throughout thus to too toward towards
under until up upon us very via was we were what when where which while who whose why will with
within without would yet you your yourself
"""
BINDING: Final = frozenset(_BINDING_TEXT.split())
"""Words that hold a sentence together and say nothing by themselves."""

_ORDERING_TEXT: Final = """
accelerate accept achieve act adapt add address adjust agree aim align allow amplify analyse
analyze announce answer append apply approve ask assemble assert assess assign attach audit avoid
back base batch begin bind block boost break brief bring build bump bundle cache calculate call
cancel capture catch celebrate change check choose cite clarify classify clean clear click clone
close collect combine comment commit compare compile complete compose compress compute configure
confirm connect consider consolidate consult continue convert copy count cover create cross cut
debug decide declare decompose deepen default define delegate delete deliver demand deny deploy
derive describe design detect determine develop diagnose diff disable discard discover discuss
dispatch display divide do document download draft draw drop duplicate edit elevate eliminate
embrace emit empower enable encode encourage end enforce enhance enrich ensure enter enumerate
escalate establish estimate evaluate examine exclude execute exit expand explain explore export
expose express extend extract fail fall favor feed fetch fill filter finalize find finish fix flag
flatten focus follow force format formulate forward foster frame gather generate get give go grab
group guard guide hand handle harness help hide highlight hold identify if ignore imagine
implement import improve include increment index infer inform inherit initialize inject insert
inspect inspire install instead instruct integrate interview introduce invoke isolate iterate join
jump justify keep kill label launch learn leave let leverage limit link list listen load locate
lock log look loop lower maintain make manage map mark match maximize measure mention merge
migrate minimize mirror mock modify monitor mount move name narrow navigate never normalize note
notify number nurture observe obtain offer omit open optimize order organize output override pack
paginate parse partition pass paste pause perform pick pin pipe place plan plot point populate
post prefer prefix prepare present preserve press prevent print prioritize probe proceed process
produce profile prompt propose protect prove provide prune publish pull push put query question
quit quote raise rank rate re-run reach read rebase rebuild recalculate recheck recommend
reconcile record redact redirect reduce refactor refer reference refine reflect refresh refuse
register reject release remember remind remove rename render reorder repeat rephrase replace reply
report reproduce request require rerun reset resist resolve respect respond restart restate
restore restrict resume retain retrieve retry return reuse reveal revert review revise rewrite
roll rotate round route run sample sanitize save say scan schedule scope score screen scroll
search see seek select send separate serialize serve set setup share ship show sign simplify
simulate size sketch skip sort source specify spend split spot stage standardize start state stick
stop store stream streamline strengthen strip strive structure submit suggest summarise summarize
supply support surface suspend swap switch sync synthesize tag tailor take target tell terminate
test throw tie tighten time toggle touch trace track train transform translate treat trigger trim
try tune turn type understand undo unify uninstall unleash unlock update upgrade upload use
validate vary verify view visit wait walk want warn watch weigh work wrap write
"""
ORDERING: Final = frozenset(_ORDERING_TEXT.split())
"""Verbs that begin an instruction."""

_GENERAL_TEXT: Final = """
ability able accurate accurately action actionable actions activity adequate advanced advantage
agile agility alignment answers anyone anything apart approach approaches appropriate area areas
around aspect aspects attention available aware basic basics beautiful become benefit benefits
best best-practice better beyond big bit bold breakthrough brilliant capability capable care
careful carefully case cases certain chain challenge challenges champion champions changes clarity
clearly closely collaboration collective combination commitment common completely comprehensive
concept concern condition confidence consistent consistently content context continuous core
correct correctly creative creativity critical culture curated current customer customers
cutting-edge day deal decision decisions deep deeply definitely delight delivers depth desired
detail detailed details different difficult digital diligence diligent diligently direction
disruption disruptive done dynamic ease easily easy ecosystem ecosystems effect effective
effectively efficient efficiently effort elegant elevate elevated empowerment enough enterprise
enterprise-grade entire environment especially essential everybody everyone everything everywhere
exact exactly excellence excellent exceptional exciting expectation expectations expected
experience expert expertise experts fact familiar fast few final finally first fit flexible form
framework full fully further future future-proof game-changing general generally globally goal
goals going gold good great growth guidance happen happens hard harmony helpful high high-impact
high-quality highest highly holistic holistically idea ideal ideas impact important improvement
industry industry-leading information innovation innovations innovative input inputs insight
insights inspiration inspired inspiring instructions intelligent intent issue issues item items
job journey journeys key kind knowledge landscape last later leader leaders leadership leading
learning less level levels life like likely little long lot magic main manner matter matters
meaningful means method methods mind mindset mission modern moment momentum much natural nature
necessary need needed needs new next next-generation nice nothing objective objectives obvious
occasion often ones opportunity optimal optimized others outcome outcomes outputs outstanding
overall paradigm paradigms particular parts passion past patience people perfect perfection
perfectly perhaps person perspective phase piece pioneering points possible potential power
powerful practical practice practices precise precisely premium pride problem problems procedure
processes productivity professional professionally professionals progress promise proper properly
proven pure purpose quality questions quick quickly quite rather ready real reality really reason
reasonable reasons relevant reliable reliably requested requests required requirement requirements
resilience resilient response rest result results revolution revolutionary rich right robust role
safe satisfaction satisfied scalable scale scenario scenarios seamless seamlessly seasoned second
sense sentence several significant similar simple simply situation situations skill skilled skills
small smart smooth smoothly solid solution solutions someone something soon special specific
spirit standard standards state-of-the-art step steps still story strategic strategies strategy
strength strong subject success successful successfully suitable superb superior sure sustainable
synergies synergistic synergy system systematic talent task tasks team technique techniques thing
things thinking thorough thoroughly thoughtful times together top-notch topic total towards
transformation transformational transformative trust trusted truth ultimate understanding unique
unparalleled unprecedented usage useful user users usual usually valuable value values various
vast versatile very vision visionary vital wanted way ways well whatever whenever whether whole
wide wisdom wise wonder wonderful word words workflow workflows works world world-class worth
wrong yes yet
"""
GENERAL: Final = BINDING | ORDERING | frozenset(_GENERAL_TEXT.split())
"""Words that fit into every text, so that an order of nothing else orders nothing."""

_COMMON_TEXT: Final = """
able above access accident account achieve across action active actual admin advance advice affect
again against agent ahead algorithm almost alone along already also alternative although always
amount analysis anything appear approach architecture archive area argument arrange array article
artifact aspect assist assume async attempt attention attribute audience author auto available
average aware backend background backup balance basic become behave behavior being believe below
benchmark benefit best better between beyond binary board body boolean bottom boundary branch
bridge broad browser budget buffer bug business button candidate capability card careful case
category cause center central certain chain challenge chance channel chapter character charge
chart chat cheap choice circle citation claim class client cloud cluster code color column come
command common communicate community company compatible complex component comprehensive concept
concern concise conclude concrete concurrent condition config conflict consistent console constant
constraint consume contact contain container content context contract contrast contribute control
convention conversation core correct cost country couple course crash credential criteria critical
current custom customer cycle daily damage data database date dead deadline deal deep degree delay
demo depend depth desktop detail device diagram dialog different difficult digital direct
directory disk distance distribute does domain done doubt down drag drive during dynamic early
earn easy edge editor effect efficient effort element else email embed emphasis employ empty
encounter encrypt endpoint engage engine engineer enough enterprise entire entity entry enum
environment equal error especially essential even event ever evidence exact example except
exception exchange exist expect expensive experience experiment expert explicit extension extern
extra face fact factor failure fair false familiar family fast fault feature feedback feel field
figure file final finance fine first five fixed flat flexible flow folder font foreign forget form
found four framework free frequent fresh friend front full function fundamental further future
gain game gate general gentle global goal good govern grade grain grant graph great green grid
ground grow guarantee guess half happen hard hash head header health hear heart heavy height here
hidden hierarchy high hint history home hook horizontal host hour however html http huge human
hundred idea ideal identity idle image immediate impact implicit important income increase
independent indicate individual industry infrastructure initial inline input inside insight
instance integer intend intent interact interest interface internal internet interpret interrupt
interval invalid invent inventory invest invoice involve issue item itself just kernel keyword
kind know knowledge lack language large last late latency later layer layout lead lean least left
legal length less lesson letter level library licence license lifecycle light like likely line
literal little live local logic long longer loose lose loss machine made mail main major manual
many market master material math matrix matter maximum maybe mean mechanism media medium meet
member memory menu message metadata method metric middle might mind minimum minor minute miss
mistake mobile mode model modern module moment money month mostly motion much multiple native
natural nature near necessary need negative neither nested network neutral news next night nine
node noise none normal nothing notice null object obvious occasion occur office often once online
onto operate opinion opportunity option origin otherwise outside overall overlap overview owner
package page pair panel paper paragraph parallel parameter parent part partial particular partner
password past patch path patient pattern payload payment peer penalty people percent perfect
perhaps period permission permit persist person phase photo phrase physical picture piece pipeline
plain platform play please plugin plus policy pool poor popular port portfolio position positive
possible potential power practice precise predict presence pressure pretty preview previous price
primary principle prior private probably problem procedure product profession profit program
progress project promise promote proof proper property protocol provision proxy public purchase
pure purpose quality quarter queue quick quiet quite race random range rapid rather ratio react
ready real reason receive recent recognize recover regard region regression regular relate
relation relevant reliable rely remain remote repository represent research reserve resource
response rest result revenue reverse rich right risk road robust role root routine rule runtime
safe sale same sandbox scale schema scheme school script second secret section secure security
seem segment self sell senior sense sensitive sentence sequence serial serious server service
session setting seven several severity shadow shall shape sheet shell shift short side signal
significant similar simple since single site situation skill slide slow small smart smooth
snapshot social software solid solution solve soon sound space span speak special specific speed
spread stable stack staff stakeholder stand standard statement static status stay step still
storage story straight strategy street strength string strong struggle student study style subject
subset succeed success suffix suit summary suppose sure surprise survey suspect symbol symptom
syntax system table talk task teach team technical technique template temporary term text thank
theme theory therefore thing think third thorough though thought thread threat three threshold
through thus ticket tight timeline timeout title today together token tone tool topic total trade
traffic trail transaction transfer transition travel tree trend trouble true trust truth typical
unique unit universe unknown unless unlike unnecessary unused upper urgent usage useful user usual
utility valid value variable variant variety various vector vendor verbose version vertical very
violate virtual visible visual voice volume vulnerable waste weak website week weight well whether
white whole wide widget width window wise within without wonder word workflow workspace world
worry worse worth wrong yield zero zone
"""
_COMMON: Final = GENERAL | frozenset(_COMMON_TEXT.split())
_STEM: Final = 5
_STEMS: Final = frozenset(word[:_STEM] for word in _COMMON if len(word) >= _STEM)

_MARKS_TEXT: Final = """
the and of to with this that are for from when you is it its has have not but they their which
can your what how by would could them every before after
"""
_MARKS: Final = frozenset(_MARKS_TEXT.split())
_LEAST_MARKS: Final = 0.15


def is_known(word: str) -> bool:
    """Whether a word in small letters is common, or begins as a common one does."""
    return word[:_STEM] in _STEMS or word in _COMMON or word[: _STEM - 1] in _COMMON


def is_oddly_spelt(word: str) -> bool:
    """Whether two runs of three letters, ends included, stand in none of the words above."""
    return len(_threes(word) - _known_threes()) > 1


def _threes(word: str) -> set[str]:
    whole = f"  {word}  "
    return {whole[at : at + 3] for at in range(len(word) + 2)}


@cache
def _known_threes() -> frozenset[str]:
    return frozenset(three for word in _COMMON | BINDING | ORDERING for three in _threes(word))


def is_english(words: Sequence[str]) -> bool:
    """Whether the words that are nearly in every English sentence are frequent enough."""
    return sum(word in _MARKS for word in words) >= _LEAST_MARKS * len(words)

package when

// Words of time, see romance.go.
const (
	german = `
january: januar jänner janner
february: februar feber
march: märz marz
april: april
may: mai
june: juni
july: juli
august: august
september: september
october: oktober
november: november
december: dezember
monday: montag
tuesday: dienstag
wednesday: mittwoch
thursday: donnerstag
friday: freitag
saturday: samstag sonnabend
sunday: sonntag
today: heute
yesterday: gestern
day before yesterday: vorgestern
last: letzte letzten letzter letztes letztem vergangene vergangenen vergangener vergangenes vorige vorigen voriger voriges
this: diese diesen dieser dieses diesem diesjährigen
day: tag
days: tage tagen
week: woche wochen
month: monat monate monaten monats
year: jahr jahre jahren jahres
weekend: wochenende
quarter: quartal
night: nacht
spring: frühling fruhling frühjahr fruhjahr
summer: sommer
autumn: herbst
winter: winter
in: im
on: am
of: des
since: seit
until: bis
before: vor
after: nach
from: von
between: zwischen
and: und
one: ein einem einer einen
two: zwei
three: drei
four: vier
five: fünf funf
six: sechs
ten: zehn
penultimate: vorletzte vorletzten vorletzter vorletztes vorletztem
beginning: anfang
end: ende
middle: mitte
half: hälfte halfte
first: erste ersten erster
second: zweite zweiten zweiter
evening: abend
morning: früh
seven: sieben
eight: acht
nine: neun
`
	dutch = `
january: januari
february: februari
march: maart
april: april
may: mei
june: juni
july: juli
august: augustus
september: september
october: oktober
november: november
december: december
monday: maandag
tuesday: dinsdag
wednesday: woensdag
thursday: donderdag
friday: vrijdag
saturday: zaterdag
sunday: zondag
today: vandaag
yesterday: gisteren
day before yesterday: eergisteren
last: vorig vorige afgelopen laatste voorbije
this: deze dit
day: dag
days: dagen
week: week weken
month: maand maanden
year: jaar jaren
weekend: weekend
quarter: kwartaal
night: nacht
spring: lente voorjaar
summer: zomer
autumn: herfst najaar
winter: winter
of: van
since: sinds
until: tot
before: voor
after: na
ago: geleden
between: tussen
and: en
one: een
two: twee
three: drie
four: vier
five: vijf
six: zes
ten: tien
penultimate: voorlaatste
beginning: begin
end: eind einde
middle: half medio
half: helft
first: eerste
second: tweede
morning: ochtend
evening: avond
this morning: vanochtend vanmorgen
yesterday evening: gisteravond
seven: zeven
eight: acht
nine: negen
`
	swedish = `
january: januari
february: februari
march: mars
april: april
may: maj
june: juni
july: juli
august: augusti
september: september
october: oktober
november: november
december: december
monday: måndag måndagen måndags
tuesday: tisdag tisdagen tisdags
wednesday: onsdag onsdagen onsdags
thursday: torsdag torsdagen torsdags
friday: fredag fredagen fredags
saturday: lördag lördagen lördags
sunday: söndag söndagen söndags
today: idag
yesterday: igår
day before yesterday: förrgår
last: förra förre senaste sista
last spring: våras
last summer: somras
last autumn: höstas
last winter: vintras
this: denna detta
day: dag
days: dagar dagarna
week: vecka veckan veckor veckorna
month: månad månaden månader månaderna
year: år året åren
weekend: helg helgen
quarter: kvartal kvartalet
night: natt
morning: morse
evening: kväll
spring: våren
summer: sommar sommaren
autumn: höst hösten
winter: vinter vintern
in: i
on: på
of: av
since: sedan
until: till
before: före innan
after: efter
from: från
between: mellan
and: och
beginning: början
end: slutet
middle: mitten
first: första
one: en ett
two: två
three: tre
four: fyra
five: fem
six: sex
seven: sju
eight: åtta
nine: nio
ten: tio
`
)

package when

import "strings"

// The words of which times are made: of each language lines of what it is in English,
// and its words for that, with and without accents. Portuguese days from Monday to
// Friday are missing: they are ordinal numbers, too.
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
this: diese diesen dieser dieses diesem
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
`
	french = `
january: janvier
february: février fevrier
march: mars
april: avril
may: mai
june: juin
july: juillet
august: août aout
september: septembre
october: octobre
november: novembre
december: décembre decembre
monday: lundi
tuesday: mardi
wednesday: mercredi
thursday: jeudi
friday: vendredi
saturday: samedi
sunday: dimanche
today: aujourd
yesterday: hier
last: dernier dernière derniere derniers dernières dernieres passé passe passée passee
this: ce cet cette
day: jour
days: jours
week: semaine semaines
month: mois
year: an ans année annee années annees
weekend: weekend
quarter: trimestre
night: nuit
spring: printemps
summer: été ete
autumn: automne
winter: hiver
in: en au dans
of: de du d
since: depuis
until: jusqu jusque
before: avant
after: après apres
between: entre
and: et
one: un une
two: deux
three: trois
four: quatre
five: cinq
ten: dix
`
	spanish = `
january: enero
february: febrero
march: marzo
april: abril
may: mayo
june: junio
july: julio
august: agosto
september: septiembre setiembre
october: octubre
november: noviembre
december: diciembre
monday: lunes
tuesday: martes
wednesday: miércoles miercoles
thursday: jueves
friday: viernes
saturday: sábado sabado
sunday: domingo
today: hoy
yesterday: ayer
day before yesterday: anteayer antier
last: pasado pasada pasados pasadas último ultimo última ultima últimos ultimos últimas ultimas
this: este esta estos estas
day: día dia
days: días dias
week: semana semanas
month: mes meses
year: año ano años anos
quarter: trimestre
night: noche
spring: primavera
summer: verano
autumn: otoño otono
winter: invierno
in: en
of: de del
since: desde
until: hasta
before: antes hace
after: después despues
ago: atrás atras
between: entre
and: y
one: un una
two: dos
three: tres
four: cuatro
five: cinco
six: seis
ten: diez
`
	portuguese = `
january: janeiro
february: fevereiro
march: março marco
april: abril
may: maio
june: junho
july: julho
august: agosto
september: setembro
october: outubro
november: novembro
december: dezembro
saturday: sábado sabado
sunday: domingo
today: hoje
yesterday: ontem
day before yesterday: anteontem
last: passado passada passados passadas último ultimo última ultima últimos ultimos últimas ultimas
this: este esta estes estas neste nesta nesse nessa
day: dia
days: dias
week: semana semanas
month: mês mes meses
year: ano anos
quarter: trimestre
night: noite
spring: primavera
summer: verão verao
autumn: outono
winter: inverno
in: em no na
of: de do da
since: desde
until: até ate
before: antes há ha faz
after: depois após apos
ago: atrás atras
between: entre
and: e
one: um uma
two: dois duas
three: três tres
four: quatro
five: cinco
six: seis
ten: dez
`
	italian = `
january: gennaio
february: febbraio
march: marzo
april: aprile
may: maggio
june: giugno
july: luglio
august: agosto
september: settembre
october: ottobre
november: novembre
december: dicembre
monday: lunedì lunedi
tuesday: martedì martedi
wednesday: mercoledì mercoledi
thursday: giovedì giovedi
friday: venerdì venerdi
saturday: sabato
sunday: domenica
today: oggi
yesterday: ieri
last: scorso scorsa scorsi scorse ultimo ultima ultimi ultime passato passata
this: questo questa
day: giorno
days: giorni
week: settimana settimane
month: mese mesi
year: anno anni
quarter: trimestre
night: notte
spring: primavera
summer: estate
autumn: autunno
winter: inverno
in: nel nello nella
of: di del dello della
since: dal da dalla
until: fino
before: prima
after: dopo
ago: fa
between: tra fra
and: e
one: un una uno
two: due
three: tre
four: quattro
five: cinque
six: sei
ten: dieci
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
last: vorig vorige afgelopen laatste
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
`
	russian = `
january: январь января январе
february: февраль февраля феврале
march: март марта марте
april: апрель апреля апреле
may: май мая мае
june: июнь июня июне
july: июль июля июле
august: август августа августе
september: сентябрь сентября сентябре
october: октябрь октября октябре
november: ноябрь ноября ноябре
december: декабрь декабря декабре
monday: понедельник
tuesday: вторник
wednesday: среду
thursday: четверг
friday: пятницу
saturday: субботу
sunday: воскресенье
today: сегодня
yesterday: вчера
day before yesterday: позавчера
last: прошлый прошлая прошлое прошлого прошлой прошлом прошлым прошлую последний последнюю последние последних последней последнем
this: этот эта эту этой этом этого
day: день
days: дня дней
week: неделя неделе неделю недели недель
month: месяц месяца месяце месяцев
year: год года году лет
quarter: квартал квартале
spring: весна весну весны
summer: лето лета
autumn: осень осени
winter: зима зиму зимы
in spring: весной
in summer: летом
in autumn: осенью
in winter: зимой
in: в во
since: с со
until: до
after: после
ago: назад
between: между
and: и
one: одну один
two: два две
three: три
four: четыре
five: пять
six: шесть
ten: десять
`
)

// lookUp is what a word of a table is in English, "" if it is not there.
func lookUp(table, word string) string {
	for i := 0; word != ""; {
		at := strings.Index(table[i:], word)
		if at < 0 {
			break
		}
		at += i
		i = at + len(word)
		if table[at-1] == ' ' && (table[i] == ' ' || table[i] == '\n') {
			line := table[strings.LastIndexByte(table[:at], '\n')+1:]
			if english, _, _ := strings.Cut(line, ":"); at > len(table)-len(line)+len(english) {
				return english
			}
		}
	}
	return ""
}

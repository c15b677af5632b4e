package when

import "strings"

// The words of which times are made: of each language lines of what it is in English,
// and its words for that, with and without accents. Portuguese days from Monday to
// Friday are there in one word alone: by themselves they are ordinal numbers, too (see phrase).
const (
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
since: depuis dès
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
penultimate: avant-dernière
beginning: début debut
end: fin
middle: mi milieu
half: moitié moitie
first: premier première premiere premiers premières
second: deuxième deuxieme seconde
evening: soir soirée
morning: matin
now: ci
six: six
seven: sept
eight: huit
nine: neuf
fifteen: quinze
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
last: pasado pasada pasados pasadas último ultimo última ultima últimos ultimos últimas ultimas anterior
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
penultimate: antepasado antepasada
beginning: principios principio comienzos comienzo inicios inicio
end: finales final fines fin
middle: mediados
half: mitad
first: primera primer primero
last night: anoche
morning: mañana manana
seven: siete
eight: ocho
nine: nueve
fifteen: quince
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
monday: segunda-feira segundas-feiras
tuesday: terça-feira terças-feiras
wednesday: quarta-feira quartas-feiras
thursday: quinta-feira quintas-feiras
friday: sexta-feira sextas-feiras
saturday: sábado sabado
sunday: domingo
today: hoje
yesterday: ontem
day before yesterday: anteontem
last: passado passada passados passadas último ultimo última ultima últimos ultimos últimas ultimas anterior
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
penultimate: retrasado retrasada
beginning: início inicio começo comeco
end: fim final finais fins
middle: meados
half: metade
first: primeira primeiro
morning: manhã manha
seven: sete
eight: oito
nine: nove
fifteen: quinze
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
last: scorso scorsa scorsi scorse ultimo ultima ultimi ultime passato passata precedente
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
in: nel nello nella in ad
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
beginning: inizio inizi
end: fine
middle: metà
first: primi prime
evening: sera
morning: mattina
this morning: stamattina stamani
tonight: stasera stanotte
seven: sette
eight: otto
nine: nove
fifteen: quindici
`
)

// LookUp is what a word of a table is in English, "" if it is not there. A table has lines of
// an English word, a colon and the words for it, and ends with a line feed.
func LookUp(table, word string) string {
	for i := 0; word != ""; {
		at := strings.Index(table[i:], word)
		if at < 0 {
			break
		}
		at += i
		i = at + len(word)
		if at > 0 && table[at-1] == ' ' && i < len(table) && (table[i] == ' ' || table[i] == '\n') {
			line := table[strings.LastIndexByte(table[:at], '\n')+1:]
			if english, _, _ := strings.Cut(line, ":"); at > len(table)-len(line)+len(english) {
				return english
			}
		}
	}
	return ""
}
